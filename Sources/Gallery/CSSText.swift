import Plan
import Recipes

/// A style sheet that is being written.
struct CSSText {
  private(set) var text = ""
  private var indent = ""

  /// - Parameters:
  ///   - selectors: Any of them.
  ///   - lines: Declarations without their semicolons; without any there is no rule, nor without
  ///     selectors.
  mutating func rule(_ selectors: [String], _ lines: [String]) {
    guard !selectors.isEmpty, !lines.isEmpty else { return }
    text += selectors.map { indent + $0 }.joined(separator: ",\n") + " {\n"
    for line in lines { text += "\(indent)  \(line);\n" }
    text += "\(indent)}\n"
    endBlock()
  }

  /// Rules that hold when all conditions do.
  mutating func media(_ conditions: [String], _ write: (inout CSSText) -> Void) {
    guard !conditions.isEmpty else { return write(&self) }
    text += "\(indent)@media \(conditions.joined(separator: " and ")) {\n"
    indent += "  "
    write(&self)
    indent.removeLast(2)
    text += "\(indent)}\n"
    endBlock()
  }

  /// An empty line, but not inside of another block.
  private mutating func endBlock() {
    if indent.isEmpty { text += "\n" }
  }

  /// The address of a PNG file.
  static func url(_ asset: Asset) -> String {
    "url(\"\(asset.path(as: OutputFormat.png.fileExtension))\")"
  }

  /// PNG files of one picture, of which a browser takes what its screen needs.
  static func imageSet(_ images: [(scale: Double, asset: Asset)]) -> String {
    let all = images.map { "\(url($0.asset)) \(JSONBytes.text(of: $0.scale))x" }
    return "image-set(\(all.joined(separator: ", ")))"
  }

  /// A length, to four decimals.
  static func points(_ value: Double) -> String {
    "\(JSONBytes.text(of: (value * 10_000).rounded() / 10_000))px"
  }
}

/// Class names for any text: each byte outside `[a-z0-9-]` becomes `_` and two hex digits.
enum CSSName {
  static func escape(_ name: String) -> String {
    let digits = Array("0123456789abcdef")
    var escaped = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        escaped.append("_")
        escaped.append(digits[Int(byte >> 4)])
        escaped.append(digits[Int(byte & 15)])
      }
    }
    return escaped
  }
}
