import Foundation

/// The bytes of a file, or of a part of it.
package typealias FileBytes = Span<UInt8>

/// Reads that throw `truncated` where the bytes end; positions come from hostile files.
///
/// A struct of a span and a position would need the experimental lifetime annotations, so the
/// caller keeps the position.
extension Span where Element == UInt8 {
  /// Makes sure that `length` bytes follow `position`.
  func require(_ length: Int, at position: Int) throws(Rejection) {
    // Subtracting cannot overflow, adding a hostile length could.
    guard position >= 0, length >= 0, position <= count, length <= count - position else {
      let (needed, overflow) = position.addingReportingOverflow(length)
      throw overflow ? .truncated(count) : .truncated(count, ofAtLeast: needed)
    }
  }

  func byte(at position: Int) throws(Rejection) -> Int {
    try require(1, at: position)
    return Int(self[position])
  }

  /// Reads an unsigned number of 1 to 7 bytes, the most significant first.
  func big(_ width: Int, at position: Int) throws(Rejection) -> Int {
    precondition((1...7).contains(width), "fits an Int")
    try require(width, at: position)
    return (position..<position + width).reduce(0) { $0 << 8 | Int(self[$1]) }
  }

  /// Reads an unsigned number of 1 to 7 bytes, the least significant first.
  func little(_ width: Int, at position: Int) throws(Rejection) -> Int {
    precondition((1...7).contains(width), "fits an Int")
    try require(width, at: position)
    return (position..<position + width).reversed().reduce(0) { $0 << 8 | Int(self[$1]) }
  }

  func code(at position: Int) throws(Rejection) -> FourCC {
    FourCC(raw: UInt32(try big(4, at: position)))
  }

  /// Whether these bytes begin at `position`; false where the file ends before.
  func has(_ pattern: some Collection<UInt8>, at position: Int = 0) -> Bool {
    guard position >= 0, position <= count, pattern.count <= count - position else { return false }
    var index = position
    for byte in pattern {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }
}

/// A type code of four bytes, such as `IHDR`, `ANMF` or `meta`.
package struct FourCC: Hashable, ExpressibleByStringLiteral {
  package let raw: UInt32

  package init(raw: UInt32) {
    self.raw = raw
  }

  package init(stringLiteral value: String) {
    raw = value.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  package var bytes: [UInt8] { BigEndian.bytes(raw) }

  /// For messages: other than printable characters become question marks.
  var text: String {
    String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}

/// Numbers as PNG, ISO files and ICC profiles store them: the most significant byte first.
package enum BigEndian {
  /// The lowest 32 bits.
  package static func bytes(_ value: some BinaryInteger) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// The parts of a file that are kept, and the few bytes that change so that they fit together.
struct EssentialParts {
  private enum Part {
    case kept(Range<Int>)
    case written([UInt8])
  }

  private var parts: [Part] = []
  private(set) var count = 0

  /// Keeps a stretch of the file.
  mutating func keep(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    count += range.count
    if case .kept(let last) = parts.last, last.upperBound == range.lowerBound {
      parts[parts.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      parts.append(.kept(range))
    }
  }

  /// Puts bytes of our own here.
  mutating func write(_ bytes: [UInt8]) {
    count += bytes.count
    parts.append(.written(bytes))
  }

  /// Shares the storage when the whole file is kept.
  func cut(from file: Data) -> Data {
    if parts.count == 1, case .kept(0..<file.count) = parts[0] { return file }
    var result = Data(capacity: count)
    for part in parts {
      switch part {
      case .kept(let range):
        let start = file.startIndex + range.lowerBound
        result.append(file[start..<start + range.count])
      case .written(let bytes):
        result.append(contentsOf: bytes)
      }
    }
    return result
  }
}
