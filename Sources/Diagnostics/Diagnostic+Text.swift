extension Diagnostic: CustomStringConvertible {
  /// Lines for a terminal: the problem, followed by an optional note and help.
  package var lines: [String] {
    var head = ""
    if let location { head += "\(location): " }
    if let path { head += "\(path): " }
    head += "\(severity.rawValue): \(message) [\(id)]"
    var lines = [head]
    if let note { lines.append("  note: \(note)") }
    if let help { lines.append("  help: \(help)") }
    return lines.map(\.printable)
  }

  package var description: String { lines.joined(separator: "\n") }
}

extension String {
  /// Returns the text on one line, safe for terminals and logs.
  ///
  /// Control characters, line separators and bidi controls become escapes such as `\n` and
  /// `\u{1b}`. `##[` and `##vso[`, which are commands for some CI systems, are broken up.
  package var printable: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "#") }) { return self }
    var text = ""
    var numberSigns = 0
    for scalar in unicodeScalars {
      let isCommand = numberSigns >= 2 && (scalar == "[" || scalar == "v")
      numberSigns = scalar == "#" ? numberSigns + 1 : 0
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where isCommand || scalar.isUnprintable:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text in quotes, truncated if it is long.
  ///
  /// The limit counts scalars, because one character may contain 10,000 combining marks.
  package var quoted: String {
    let limit = 60
    let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
    return end == endIndex ? "\"\(self)\"" : "\"\(String(unicodeScalars[..<end]))…\""
  }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
