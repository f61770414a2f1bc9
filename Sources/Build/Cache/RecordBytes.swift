import Bytes
import Files
import Foundation
import Recipes

/// Builds the bytes of a record in the index: little-endian, no padding.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func write(_ digest: Digest) {
    bytes.append(contentsOf: digest.bytes)
  }

  mutating func write(_ text: String) {
    let utf8 = Array(text.utf8)
    write(UInt32(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  mutating func write(blob: [UInt8]) {
    write(UInt64(blob.count))
    bytes.append(contentsOf: blob)
  }

  mutating func write(_ stamp: FileStamp) {
    write(stamp.inode)
    write(stamp.size)
    write(stamp.modified)
    write(stamp.changed)
  }

  mutating func write(_ rejection: Rejection) {
    write(rejection.reason.rawValue)
    write(rejection.detail)
  }
}

/// Takes a record apart; a record that is too short or too long answers nil throughout.
struct RecordParser {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func read<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let size = Value.bitWidth / 8
    guard bytes.count - offset >= size else { return nil }
    var value: Value = 0
    for index in 0..<size {
      value |= Value(truncatingIfNeeded: bytes[offset + index]) << (8 * index)
    }
    offset += size
    return value
  }

  mutating func readDigest() -> Digest? {
    guard bytes.count - offset >= 32 else { return nil }
    defer { offset += 32 }
    return Digest(bytes: Array(bytes[offset..<offset + 32]))
  }

  mutating func readText() -> String? {
    guard let count = read(UInt32.self), bytes.count - offset >= Int(count) else { return nil }
    defer { offset += Int(count) }
    return String(decoding: bytes[offset..<offset + Int(count)], as: UTF8.self)
  }

  mutating func readBytes() -> [UInt8]? {
    guard let count = read(UInt64.self), UInt64(bytes.count - offset) >= count else { return nil }
    defer { offset += Int(count) }
    return Array(bytes[offset..<offset + Int(count)])
  }

  mutating func readStamp() -> FileStamp? {
    guard let inode = read(UInt64.self), let size = read(Int64.self),
      let modified = read(Int64.self), let changed = read(Int64.self)
    else { return nil }
    return FileStamp(inode: inode, size: size, modified: modified, changed: changed)
  }

  mutating func readRejection() -> Rejection? {
    guard let reason = readText(), let detail = readText() else { return nil }
    return Rejection(Reason(rawValue: reason), detail)
  }
}
