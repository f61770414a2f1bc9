import Documents

extension Node {
  var isScalar: Bool {
    if case .scalar = content { true } else { false }
  }

  /// What it is, for a message.
  var kind: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let scalar):
      switch scalar.style {
      case .quoted: "the text \(scalar.text.quoted)"
      case .null: "nothing"
      case .plain, .number, .boolean: scalar.text.isEmpty ? "nothing" : scalar.text.shortened
      }
    }
  }
}

extension String {
  /// Cut like `quoted`, without the quotes.
  var shortened: String {
    String(quoted.dropFirst().dropLast())
  }

  /// C0, delete or C1.
  func hasControls(otherThanLines allowsLines: Bool = false) -> Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte < 0x20 || byte == 0x7F {
        let isLine = byte == 0x0A || byte == 0x0D || byte == 0x09
        if !(isLine && allowsLines) { return true }
      }
      // C1 is U+0080…U+009F, in UTF-8 C2 80…C2 9F.
      if previous == 0xC2, (0x80...0x9F).contains(byte) { return true }
      previous = byte
    }
    return false
  }

  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

extension Double {
  /// `3` for 3.0.
  var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// The numbers of JSON: `-12`, `0.5`, `1e3`; no `+1`, `.5`, `010`, `0x10`, `1_000`, `inf`.
func isDecimal(_ text: String) -> Bool {
  var bytes = Array(text.utf8.prefix(400))[...]
  func digits() -> Int {
    let count = bytes.prefix { (0x30...0x39).contains($0) }.count
    bytes = bytes.dropFirst(count)
    return count
  }
  guard text.utf8.count < 400 else { return false }
  if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
  let startsWithZero = bytes.first == UInt8(ascii: "0")
  let whole = digits()
  guard whole > 0, !startsWithZero || whole == 1 else { return false }
  if bytes.first == UInt8(ascii: ".") {
    bytes.removeFirst()
    guard digits() > 0 else { return false }
  }
  if let exponent = bytes.first, exponent | 0x20 == UInt8(ascii: "e") {
    bytes.removeFirst()
    if let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      bytes.removeFirst()
    }
    guard digits() > 0 else { return false }
  }
  return bytes.isEmpty
}
