/// Writes JSON as bytes: keys and order are the caller's, escapes and commas are ours.
package struct JSONBytes {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private let isScript: Bool

  /// - Parameter isScript: What is written stands in a script, maybe within a page: nothing in a
  ///   text can end it, nor a line of it.
  init(isScript: Bool = false) {
    self.isScript = isScript
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func object(_ body: (inout JSONBytes) throws -> Void) rethrows {
    open("{")
    try body(&self)
    close("}")
  }

  mutating func array(_ body: (inout JSONBytes) throws -> Void) rethrows {
    open("[")
    try body(&self)
    close("]")
  }

  mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A key and its text, on a line of its own if an indent is given; nothing for nil.
  mutating func pair(_ name: String, _ text: String?, indent: Int? = nil) {
    guard let text else { return }
    if let indent { line(indent: indent) }
    key(name)
    string(text)
  }

  mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: isSpecial) {
      escape(Array(text.utf8))
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// What is no JSON, such as a call around it.
  mutating func code(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    needsComma = false
  }

  mutating func number(_ value: Int) {
    raw(String(value))
  }

  /// A finite number; whole ones without a point.
  mutating func number(_ value: Double) {
    raw(JSONBytes.text(of: value))
  }

  package static func text(of value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  /// A line break between elements, so that a person can read and compare the file.
  mutating func line(indent: Int) {
    if needsComma {
      bytes.append(UInt8(ascii: ","))
      needsComma = false
    }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func open(_ brace: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: brace))
    needsComma = false
  }

  private mutating func close(_ brace: Unicode.Scalar) {
    bytes.append(UInt8(ascii: brace))
    needsComma = true
  }

  private mutating func raw(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  /// Whether a byte may have to be escaped.
  private func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
    case UInt8(ascii: "<"), 0xE2: isScript
    default: false
    }
  }

  private mutating func escape(_ text: [UInt8]) {
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0C: bytes.append(contentsOf: "\\f".utf8)
      case 0..<0x20, 0x7F: escape(scalar: UInt16(byte))
      case UInt8(ascii: "<") where isScript: escape(scalar: UInt16(byte))
      // U+2028 and U+2029, which end a line of older scripts: E2 80 A8 and E2 80 A9.
      case 0xE2 where isScript && rest.starts(with: [0x80, 0xA8]),
        0xE2 where isScript && rest.starts(with: [0x80, 0xA9]):
        escape(scalar: 0x2028 + UInt16(rest[rest.startIndex + 1] - 0xA8))
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
  }

  private mutating func escape(scalar: UInt16) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] { bytes.append(digits[Int(scalar >> shift) & 15]) }
  }
}
