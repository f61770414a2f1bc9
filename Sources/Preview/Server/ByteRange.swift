/// The part of a file that a Range header asks for.
enum ByteRange: Hashable, Sendable {
  /// Everything: no range, several, or one that nobody understands.
  case whole
  case part(Range<Int64>)
  /// There is nothing there.
  case nowhere

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
      self = first < size ? .part(first..<(min(last ?? .max, size - 1) + 1)) : .nowhere
    case (nil, let count?):
      self = count > 0 && size > 0 ? .part(max(size - count, 0)..<size) : .nowhere
    case (nil, nil): self = .whole
    }
  }

  /// `bytes=0-99`, `bytes=100-`, `bytes=-100`; nil for everything else.
  private static func bounds(_ header: String) -> (first: Int64?, last: Int64?)? {
    let bytes = header.utf8
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")),
      header[..<sign].lowercased() == "bytes"
    else { return nil }
    let ends = bytes[bytes.index(after: sign)...].split(
      separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else {
      return nil
    }
    return (first, last)
  }

  /// Nil for what is no number, a nil inside for none; a number too large is as large as can be.
  private static func number(_ digits: Substring.UTF8View) -> Int64?? {
    if digits.isEmpty { return .some(nil) }
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return .some(Int64(String(digits) ?? "") ?? .max)
  }
}
