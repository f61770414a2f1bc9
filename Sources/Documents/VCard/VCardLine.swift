import Bytes
import Diagnostics

/// A vCard line, such as `item1.PHOTO;TYPE="JPEG":value`.
struct VCardLine {
  let bytes: [UInt8]
  let position: Position
  /// The property name in upper case, without its group; empty for an invalid line.
  private(set) var name = ""
  /// Parameters with upper-case names; vCard 2.1 allows bare values, as in `PHOTO;BASE64;JPEG:`.
  private var parameters: [(name: String, value: String)] = []
  private var value: ArraySlice<UInt8> = []

  /// The key for the structured name, used if the formatted name is missing.
  static let partsKey = "n"

  init(_ bytes: [UInt8], at position: Position) {
    self.bytes = bytes
    self.position = position
    var isQuoted = false
    let colon = bytes.firstIndex { byte in
      if byte == Byte.quote { isQuoted.toggle() }
      return byte == Byte.colon && !isQuoted
    }
    guard let colon else { return }
    isQuoted = false
    let parts = bytes[..<colon].split { byte in
      if byte == Byte.quote { isQuoted.toggle() }
      return byte == Byte.semicolon && !isQuoted
    }
    let word = parts.first?.split(separator: Byte.dot).last?.trimmed(while: \.isASCIIBlank) ?? []
    guard !word.isEmpty, word.allSatisfy({ $0.isASCIILetterOrDigit || $0 == Byte.minus }) else {
      return
    }
    name = String(decoding: word, as: UTF8.self).uppercased()
    value = bytes[(colon + 1)...]
    parameters = parts.dropFirst().map { part in
      let text = String(decoding: part.filter { $0 != Byte.quote }, as: UTF8.self)
      let sides = text.split(separator: "=", maxSplits: 1)
      return sides.count == 2
        ? (sides[0].uppercased(), String(sides[1])) : ("", String(sides.first ?? ""))
    }
  }

  var isPrintable: Bool { has("QUOTED-PRINTABLE", as: "ENCODING") }
  var isPreferred: Bool { parameters.contains { $0.name == "PREF" } || has("PREF", as: "TYPE") }
  private var isBase64: Bool { has("B", as: "ENCODING") || has("BASE64", as: "ENCODING") }

  private func has(_ word: String, as name: String) -> Bool {
    parameters.contains { parameter in
      (parameter.name == name || parameter.name.isEmpty)
        && parameter.value.uppercased().split(separator: ",").contains { $0 == word }
    }
  }

  var values: [(key: String, node: Node)] {
    switch name {
    case "", "VERSION", "PRODID", "REV", "AGENT": return []
    case "PHOTO": return picture.map { [("photo", node($0))] } ?? []
    case _ where isBase64: return []
    case "FN": return [("name", node(text))]
    case "N":
      let parts = texts(at: Byte.semicolon)
      let words = [parts.count > 1 ? parts[1] : "", parts.first ?? ""].filter { !$0.isEmpty }
      return words.isEmpty ? [] : [(Self.partsKey, node(words.joined(separator: " ")))]
    case "ORG":
      return texts(at: Byte.semicolon).prefix(1).map { ("organization", node($0)) }
    case "CATEGORIES", "NICKNAME":
      return texts(at: Byte.comma).map { (name.lowercased(), node($0)) }
    default: return [(name.lowercased(), node(text))]
    }
  }

  private func node(_ text: String) -> Node { .text(text, at: position) }

  private var text: String { texts(at: nil).first ?? "" }

  /// The picture source; nil if it is a path on the machine that exported the card.
  private var picture: String? {
    let text = text.trimmed
    let scheme = text.prefix(8).lowercased()
    if ["data:", "http://", "https://"].contains(where: scheme.hasPrefix) { return text }
    if !isBase64, text.contains(":") { return nil }
    // Some programs omit the encoding; a long value is Base64, because file paths are shorter.
    guard isBase64 || text.utf8.count > 255 else { return text }
    return "data:image/jpeg;base64," + text.filter { !$0.isWhitespace }
  }

  private func texts(at separator: UInt8?) -> [String] {
    let bytes = isPrintable ? Self.decoded(value) : Array(value)
    var parts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        let isLine = byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N")
        parts[parts.count - 1].append(isLine ? Byte.newline : byte)
        isEscaped = false
      } else if byte == Byte.backslash {
        isEscaped = true
      } else if byte == separator {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    return parts.map { part in
      // Old phones exported cards in Latin-1.
      let text =
        String(validating: part, as: UTF8.self)
        ?? String(String.UnicodeScalarView(part.map { Unicode.Scalar($0) }))
      return text.trimmed
    }
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == Byte.equals, rest.count > 1, let high = rest[rest.startIndex].hexDigitValue,
        let low = rest[rest.startIndex + 1].hexDigitValue
      {
        bytes.append(high << 4 | low)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
