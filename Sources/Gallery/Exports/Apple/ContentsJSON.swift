import Diagnostics

/// A value of a `Contents.json`, laid out as Xcode does.
///
/// Keys are sorted, each level has two spaces more, and a colon has one on both sides: so a catalog
/// that Xcode saves again is the same.
enum ContentsJSON {
  case object([String: ContentsJSON])
  case array([ContentsJSON])
  case string(String)
  case number(Int)
  case flag(Bool)

  /// The whole file, with a line break at its end.
  var bytes: [UInt8] { Array("\(text(indent: ""))\n".utf8) }

  private func text(indent: String) -> String {
    let deeper = indent + "  "
    switch self {
    case .object(let members):
      let lines = members.sorted { $0.key < $1.key }.map { key, value in
        "\(deeper)\(Self.quoted(key)) : \(value.text(indent: deeper))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let values):
      let lines = values.map { deeper + $0.text(indent: deeper) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .string(let text): return Self.quoted(text)
    case .number(let number): return String(number)
    case .flag(let flag): return String(flag)
    }
  }

  private static func quoted(_ text: String) -> String {
    var json = JSONBytes()
    json.string(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
