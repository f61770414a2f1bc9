extension Double {
  /// `3` for 3.0.
  package var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
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
