import Foundation

/// Bytes that stay where they are and as they are, for whoever sends them.
@safe
final class Bytes: @unchecked Sendable {
  // Sendable since nobody writes to the memory once `init` has returned.
  let buffer: UnsafeRawBufferPointer

  var count: Int { unsafe buffer.count }

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    // There is room for all of them.
    unsafe copy.copyBytes(from: bytes)
    unsafe buffer = UnsafeRawBufferPointer(copy)
  }

  init(_ data: Data) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 16)
    unsafe data.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
    unsafe buffer = UnsafeRawBufferPointer(copy)
  }

  deinit {
    unsafe buffer.deallocate()
  }
}
