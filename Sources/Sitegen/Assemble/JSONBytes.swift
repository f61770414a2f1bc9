/// Writes JSON as bytes: keys and order are the caller's, escapes and commas are ours.
struct JSONBytes {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

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

  mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 { escape(byte) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  mutating func number(_ value: Int) {
    raw(String(value))
  }

  /// A finite number; whole ones without a point.
  mutating func number(_ value: Double) {
    raw(JSONBytes.text(of: value))
  }

  static func text(of value: Double) -> String {
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

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20, 0x7f:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: Array("\\u00".utf8))
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default:
      bytes.append(byte)
    }
  }
}
