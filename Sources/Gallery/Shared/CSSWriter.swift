import Manifest
import Plan
import Recipes

struct CSSWriter {
  private(set) var text = ""
  private var indent = ""

  /// Writes a rule, unless it is empty; `lines` are declarations without semicolons.
  mutating func rule(_ selectors: [String], _ lines: [String]) {
    guard !selectors.isEmpty, !lines.isEmpty else { return }
    text += selectors.map { indent + $0 }.joined(separator: ",\n") + " {\n"
    for line in lines { text += "\(indent)  \(line);\n" }
    endBlock()
  }

  mutating func media(_ conditions: [String], _ write: (inout CSSWriter) -> Void) {
    guard !conditions.isEmpty else { return write(&self) }
    block("@media \(conditions.joined(separator: " and "))", write)
  }

  mutating func block(_ head: String, _ write: (inout CSSWriter) -> Void) {
    text += "\(indent)\(head) {\n"
    indent += "  "
    write(&self)
    indent.removeLast(2)
    endBlock()
  }

  private mutating func endBlock() {
    text += indent.isEmpty ? "}\n\n" : "\(indent)}\n"
  }

  static func url(_ asset: Asset) -> String { "url(\"\(asset.path)\")" }

  static func imageSet(_ images: [(scale: Double, asset: Asset)]) -> String {
    let all = images.map { "\(url($0.asset)) \($0.scale.plain)x" }
    return "image-set(\(all.joined(separator: ", ")))"
  }

  /// Returns a length in CSS pixels, with up to four decimals.
  static func points(_ value: Double) -> String {
    "\(((value * 10_000).rounded() / 10_000).plain)px"
  }
}
