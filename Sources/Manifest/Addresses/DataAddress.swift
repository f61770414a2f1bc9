package import Fetch
package import Foundation

/// A picture that stands in its address: `data:[<media type>][;base64],<data>` (RFC 2397).
package enum DataAddress {
  /// Of the address, before anything is decoded.
  private static let longest = 2 << 20

  /// The bytes; the media type is not believed, so it is not read.
  ///
  /// - Parameter rest: What stands behind `data:`.
  /// - Returns: A failure says what is wrong, and never repeats what was written.
  package static func decode(_ rest: String) -> Result<Data, FetchFailure> {
    guard rest.utf8.count <= longest else { return failure("longer than 2 MiB") }
    // White space is none of it, and is no part of an address at all.
    guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return failure("a space, a control character or another one that is not ASCII in it")
    }
    guard !rest.utf8.contains(UInt8(ascii: "#")) else {
      return failure("a # in it, which must be written %23")
    }
    guard let comma = rest.utf8.firstIndex(of: UInt8(ascii: ",")) else {
      return failure("no comma before its data")
    }
    // Every byte of the mark has the bit that makes a letter small.
    let kind = rest.utf8[..<comma].suffix(base64Mark.count).map { $0 | 0x20 }
    guard var bytes = unescaped(rest.utf8[comma...].dropFirst()) else {
      return failure("a % without two hexadecimal digits in it")
    }
    if kind == base64Mark {
      guard let decoded = base64(bytes) else { return failure("its data is no base64") }
      bytes = decoded
    }
    return bytes.isEmpty ? failure("nothing in it") : .success(Data(bytes))
  }

  private static let base64Mark = Array(";base64".utf8)

  private static func unescaped(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Padding may be left out as a whole, and bits that stand for nothing must be 0 (RFC 4648, 3.5).
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var digits = text[...]
    if text.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = base64Value(digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return bits == 0 ? bytes : nil
  }

  private static func base64Value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func failure(_ detail: String) -> Result<Data, FetchFailure> {
    .failure(FetchFailure(.badData, detail))
  }
}
