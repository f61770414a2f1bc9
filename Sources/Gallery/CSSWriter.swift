import Manifest
import Plan
import Recipes

/// Writes a style sheet rule by rule.
struct CSSWriter {
  private(set) var text = ""
  private var indent = ""

  /// - Parameters:
  ///   - selectors: Any of them; without selectors there is no rule.
  ///   - lines: Declarations without their semicolons; without any there is no rule.
  mutating func rule(_ selectors: [String], _ lines: [String]) {
    guard !selectors.isEmpty, !lines.isEmpty else { return }
    text += selectors.map { indent + $0 }.joined(separator: ",\n") + " {\n"
    for line in lines { text += "\(indent)  \(line);\n" }
    endBlock()
  }

  /// Rules that hold when all conditions do.
  mutating func media(_ conditions: [String], _ write: (inout CSSWriter) -> Void) {
    guard !conditions.isEmpty else { return write(&self) }
    text += "\(indent)@media \(conditions.joined(separator: " and ")) {\n"
    indent += "  "
    write(&self)
    indent.removeLast(2)
    endBlock()
  }

  /// Closes a block; outside of others an empty line follows.
  private mutating func endBlock() {
    text += indent.isEmpty ? "}\n\n" : "\(indent)}\n"
  }

  /// The address of a PNG file.
  static func url(_ asset: Asset) -> String {
    "url(\"\(asset.path(as: OutputFormat.png.fileExtension))\")"
  }

  /// PNG files of one picture, of which a browser takes the one that its screen needs.
  static func imageSet(_ images: [(scale: Double, asset: Asset)]) -> String {
    let all = images.map { "\(url($0.asset)) \($0.scale.plain)x" }
    return "image-set(\(all.joined(separator: ", ")))"
  }

  /// A length, to four decimals.
  static func points(_ value: Double) -> String {
    "\(((value * 10_000).rounded() / 10_000).plain)px"
  }
}
