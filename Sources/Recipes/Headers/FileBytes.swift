import Foundation

/// The bytes of an untrusted file; throwing methods check bounds.
struct FileBytes {
  let data: Data

  init(_ data: Data) { self.data = data }

  var count: Int { data.count }

  subscript(position: Int) -> UInt8 { data[data.startIndex + position] }

  subscript(range: Range<Int>) -> FileBytes {
    FileBytes(data.dropFirst(range.lowerBound).prefix(range.count))
  }

  func require(_ length: Int, at position: Int) throws(Rejection) {
    // Subtract, because adding an untrusted length could overflow.
    guard position >= 0, length >= 0, position <= count, length <= count - position else {
      let (needed, overflow) = position.addingReportingOverflow(length)
      throw overflow ? .truncated(count) : .truncated(count, ofAtLeast: needed)
    }
  }

  func byte(at position: Int) throws(Rejection) -> Int {
    try require(1, at: position)
    return Int(self[position])
  }

  /// Reads a big-endian unsigned integer of 1 to 7 bytes.
  func big(_ width: Int, at position: Int) throws(Rejection) -> Int {
    precondition((1...7).contains(width), "the value must fit in an Int")
    try require(width, at: position)
    return (position..<position + width).reduce(0) { $0 << 8 | Int(self[$1]) }
  }

  /// Reads a little-endian unsigned integer of 1 to 7 bytes.
  func little(_ width: Int, at position: Int) throws(Rejection) -> Int {
    precondition((1...7).contains(width), "the value must fit in an Int")
    try require(width, at: position)
    return (position..<position + width).reversed().reduce(0) { $0 << 8 | Int(self[$1]) }
  }

  func code(at position: Int) throws(Rejection) -> FourCC {
    FourCC(raw: UInt32(try big(4, at: position)))
  }

  func has(_ pattern: some Collection<UInt8>, at position: Int = 0) -> Bool {
    guard position >= 0, position <= count, pattern.count <= count - position else { return false }
    return zip(pattern, position..<count).allSatisfy { $0 == self[$1] }
  }
}

/// A four-character code, such as `IHDR`, `ANMF` or `meta`.
package struct FourCC: Hashable, ExpressibleByStringLiteral {
  package let raw: UInt32

  package init(raw: UInt32) { self.raw = raw }

  package init(stringLiteral value: String) {
    raw = value.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  package var bytes: [UInt8] { BigEndian.bytes(raw) }

  var text: String {
    String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}

/// A chunk of a PNG or WebP file, or a box of an AVIF or HEIC file.
struct Chunk {
  let type: FourCC
  /// The range of the whole chunk, including its header and anything after the payload.
  let range: Range<Int>
  let payload: Range<Int>
}

package enum BigEndian {
  package static func bytes(_ value: some BinaryInteger) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
