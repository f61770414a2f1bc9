import Bytes

/// The part of a file that a Range header asks for.
enum ByteRange: Hashable, Sendable {
  /// Everything: there is no range, or several, or one that is malformed.
  case whole
  case part(Range<Int64>)
  /// The range begins behind the end.
  case beyondEnd

  /// - Parameters:
  ///   - headers: All Range headers of the request.
  ///   - size: How large the file is.
  init(_ headers: [String], of size: Int64) {
    guard headers.count == 1, let (first, last) = ByteRange.bounds(headers[0]) else {
      self = .whole
      return
    }
    switch (first, last) {
    case (let first?, let last?) where last < first: self = .whole
    case (let first?, let last):
      self = first < size ? .part(first..<(min(last ?? .max, size - 1) + 1)) : .beyondEnd
    case (nil, let count?):
      self = count > 0 && size > 0 ? .part(max(size - count, 0)..<size) : .beyondEnd
    case (nil, nil): self = .whole
    }
  }

  /// `bytes=0-99`, `bytes=100-`, `bytes=-100`; nil for everything else.
  private static func bounds(_ header: String) -> (first: Int64?, last: Int64?)? {
    let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let ends = parts[1].utf8.split(
      separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.joined().allSatisfy(\.isASCIIDigit) else { return nil }
    return (number(ends[0]), number(ends[1]))
  }

  /// Nil for no digits; a number too large is as large as can be.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    digits.isEmpty ? nil : Int64(Substring(digits)) ?? .max
  }
}
