package import Foundation
import Glibc

/// An encoder for little-endian integers and length-prefixed bytes, without padding.
package struct ByteWriter {
  @usableFromInline internal(set) package var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ value: some FixedWidthInteger) {
    write(word: UInt64(truncatingIfNeeded: value), count: value.bitWidth / 8)
  }

  /// This is not generic, because generic calls across modules are slow for a million numbers.
  package mutating func write(word: UInt64, count: Int = 8) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * index))) }
  }

  /// Writes bytes without their length, which the reader must know.
  @inlinable package mutating func write(raw part: some Sequence<UInt8>) {
    bytes.append(contentsOf: part)
  }

  @inlinable package mutating func write(counted part: some Collection<UInt8>) {
    write(UInt32(clamping: part.count))
    bytes.append(contentsOf: part)
  }

  package mutating func write(_ text: String) { write(counted: text.utf8) }
}

/// A decoder for the output of `ByteWriter`, which may come from an untrusted source.
package struct ByteReader {
  package struct Malformed: Error {
    package init() {}
  }

  @usableFromInline var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Decodes a value from all bytes; returns nil if bytes are missing, left over or invalid.
  @inlinable package static func all<Value>(
    of bytes: [UInt8], _ read: (inout ByteReader) throws(Malformed) -> Value?
  ) -> Value? {
    var reader = ByteReader(bytes)
    guard let value = try? read(&reader), reader.isAtEnd else { return nil }
    return value
  }

  package mutating func read<Value: FixedWidthInteger>(_: Value.Type) throws(Malformed) -> Value {
    Value(truncatingIfNeeded: try readWord(count: Value.bitWidth / 8))
  }

  package mutating func readWord(count: Int = 8) throws(Malformed) -> UInt64 {
    let bytes = try read(count: count)
    var word: UInt64 = 0
    for index in bytes.indices.reversed() { word = word << 8 | UInt64(bytes[index]) }
    return word
  }

  @inlinable package mutating func read(count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw Malformed() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  package mutating func readCounted() throws(Malformed) -> ArraySlice<UInt8> {
    try read(count: Int(try read(UInt32.self)))
  }

  package mutating func readText() throws(Malformed) -> String {
    guard let text = String(validating: try readCounted(), as: UTF8.self) else { throw Malformed() }
    return text
  }
}

extension Data {
  /// Concatenates pieces; the standard `joined` would copy each byte separately.
  package init(joining pieces: some Collection<Data>) {
    self.init(capacity: pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { append(piece) }
  }
}

extension Span<UInt8> {
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count else { return nil }
    return unsafe extracting(start..<count).withUnsafeBytes { rest in
      guard let first = rest.baseAddress,
        let found = unsafe memchr(first, Int32(byte), rest.count)
      else { return nil }
      return unsafe start + (UnsafeRawPointer(found) - first)
    }
  }
}
