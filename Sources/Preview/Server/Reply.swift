import CMicroHTTPD
import Files

/// What is answered: made on any thread, and sent by the one that has the connection.
@safe
final class Reply: @unchecked Sendable {
  // Sendable since the response is finished before it is handed on, and the library counts its
  // references under a lock.
  let status: Int
  /// How many bytes it has; nil when they come in the course of time.
  let size: Int?
  private let response: OpaquePointer

  /// Adopts what the library has made; nil when it had no memory.
  private init?(status: Int, size: Int?, _ response: OpaquePointer?) {
    guard let response = unsafe response else { return nil }
    self.status = status
    self.size = size
    unsafe self.response = response
  }

  deinit {
    // A connection that still sends it has a reference of its own.
    unsafe MHD_destroy_response(response)
  }

  /// The corresponding C function is `MHD_add_response_header`.
  func add(_ headers: [(String, String)]) {
    for (name, value) in headers {
      _ = unsafe MHD_add_response_header(response, name, value)
    }
  }

  /// The corresponding C function is `MHD_queue_response`.
  func queue(on connection: OpaquePointer) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status), response) == .YES
  }
}

// MARK: - Making

extension Reply {
  /// The corresponding C function is `MHD_create_response_from_buffer_with_free_callback_cls`.
  static func bytes(_ bytes: Bytes, status: Int = 200) -> Reply? {
    // The library never writes to the memory, which the reference keeps until it is done.
    let kept = unsafe Unmanaged.passRetained(bytes)
    let start = unsafe UnsafeMutableRawPointer(mutating: bytes.buffer.baseAddress)
    let response = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
      bytes.count, start,
      { kept in
        guard let kept = unsafe kept else { return }
        unsafe Unmanaged<Bytes>.fromOpaque(kept).release()
      }, kept.toOpaque())
    let reply = unsafe Reply(status: status, size: bytes.count, response)
    if reply == nil { unsafe kept.release() }
    return reply
  }

  /// Sends a part of a file by the kernel alone: what was opened, whatever becomes of its name.
  ///
  /// The corresponding C function is `MHD_create_response_from_fd_at_offset64`.
  static func file(_ file: consuming OpenFile, _ range: Range<Int64>, status: Int) -> Reply? {
    let number = file.release()
    let response = unsafe MHD_create_response_from_fd_at_offset64(
      UInt64(range.count), number, UInt64(range.lowerBound))
    let reply = unsafe Reply(status: status, size: range.count, response)
    // The library closes the file with its response; without one it is still ours.
    if reply == nil { _ = Descriptor(adopting: number) }
    return reply
  }

  /// Sends what comes in the course of time.
  ///
  /// The corresponding C function is `MHD_create_response_from_callback`.
  static func events(_ reader: StreamReader) -> Reply? {
    let kept = unsafe Unmanaged.passRetained(reader)
    let response = unsafe MHD_create_response_from_callback(
      .max, 8192,
      { reader, _, buffer, room in
        guard let reader = unsafe reader, let buffer = unsafe buffer else { return -2 }
        return unsafe Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue().read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: room))
      }, kept.toOpaque(),
      { reader in
        guard let reader = unsafe reader else { return }
        unsafe Unmanaged<StreamReader>.fromOpaque(reader).takeRetainedValue().end()
      })
    let reply = unsafe Reply(status: 200, size: nil, response)
    if reply == nil { unsafe kept.takeRetainedValue().end() }
    return reply
  }
}
