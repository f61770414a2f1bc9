import CMicroHTTPD
import Files
import Foundation

/// A reply: made on any thread, and sent by the thread that serves the connection.
@safe
final class Reply: @unchecked Sendable {
  // Sendable since the response is finished before it is handed on, and the library counts its
  // references under a lock.
  let status: Int
  /// In bytes; nil for a stream.
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

  /// The corresponding C function is `MHD_queue_response`.
  func queue(on connection: OpaquePointer) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status), response) == .YES
  }

  /// The corresponding C function is `MHD_add_response_header`.
  private func add(_ headers: [(String, String)]) {
    for (name, value) in headers {
      _ = unsafe MHD_add_response_header(response, name, value)
    }
  }
}

/// Bytes at a fixed address, for the library to send.
@safe
final class ReplyBody: @unchecked Sendable {
  // Sendable since nothing writes to the memory once `init` has returned.
  fileprivate let buffer: UnsafeRawBufferPointer

  var count: Int { unsafe buffer.count }

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    // There is room for all of them.
    unsafe copy.copyBytes(from: bytes)
    unsafe buffer = UnsafeRawBufferPointer(copy)
  }

  deinit {
    unsafe buffer.deallocate()
  }
}

// MARK: - What is replied

extension Reply {
  /// Goes with everything.
  private static let common = [
    // The type that we name holds, whatever the bytes look like.
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    // Pages of other sites cannot show what is here.
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// As strict as the gallery's own, and no page can be put into a frame.
  ///
  /// It goes with everything, since a drawing or other XML can be opened as a document too.
  private static let policy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  /// Adds the headers of every reply, and those of a type.
  private static func finish(
    _ reply: Reply?, _ headers: [(String, String)], as type: MediaType? = nil
  ) -> Reply? {
    // A drawing may have styles in itself.
    let styles = type?.isDrawing == true ? "; style-src 'self' 'unsafe-inline'" : ""
    reply?.add(common + [("Content-Security-Policy", policy + styles)])
    if let type { reply?.add([("Content-Type", type.name)]) }
    // Whether text is compressed depends on the client.
    if type?.isText == true { reply?.add([("Vary", "Accept-Encoding")]) }
    reply?.add(headers)
    return reply
  }

  static func text(_ body: ReplyBody, _ form: Representation) -> Reply? {
    let encoding = form.isGzip ? [("Content-Encoding", "gzip")] : []
    return finish(.bytes(body), encoding + form.caching.headers, as: form.type)
  }

  /// The script of live pages.
  static func script(_ bytes: [UInt8]) -> Reply? {
    finish(.bytes(ReplyBody(bytes)), Caching.never.headers, as: MediaType(ofFile: "live.js"))
  }

  /// A file as it is, or the part of it that the request asks for.
  static func file(
    _ file: consuming OpenFile, _ form: Representation, _ request: Request
  ) -> Reply? {
    let size = file.size
    var status = 200
    var part = 0..<size
    var headers = form.caching.headers + [("Accept-Ranges", "bytes")]
    if form.caching.allowsRange(of: request), !request.isHead {
      switch ByteRange(request.ranges, of: size) {
      case .whole: break
      case .part(let range):
        status = 206
        part = range
        headers.append(
          ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      case .beyondEnd:
        // The file may be kept, but not that it has no such range.
        return finish(
          .empty(status: 416), Caching.never.headers + [("Content-Range", "bytes */\(size)")])
      }
    }
    // The library takes a file without bytes for one of unknown size.
    if part.isEmpty { return finish(.empty(), headers, as: form.type) }
    return finish(.descriptor(file.release(), part, status: status), headers, as: form.type)
  }

  static func notModified(_ form: Representation) -> Reply? {
    finish(
      .empty(status: 304),
      form.caching.headers + (form.type.isText ? [("Vary", "Accept-Encoding")] : []))
  }

  /// The location is only a path, so it cannot lead to another site.
  static func redirect(to path: RequestPath) -> Reply? {
    finish(.empty(status: 308), [("Location", path.target)] + Caching.never.headers)
  }

  private static let eventHeaders =
    [("Content-Type", "text/event-stream; charset=utf-8")] + Caching.never.headers

  static func events(_ stream: EventStream) -> Reply? { finish(.stream(stream), eventHeaders) }

  /// For HEAD.
  static func eventsHead() -> Reply? { finish(.empty(), eventHeaders) }

  /// A missing file gets a page, whose script needs the revision.
  static func refusal(_ refusal: Refusal, revision: Int) -> Reply? {
    var headers = Caching.never.headers
    if refusal == .badMethod { headers.append(("Allow", "GET, HEAD")) }
    if refusal.endsConnection { headers.append(("Connection", "close")) }
    var text = Array((refusal.text + "\n").utf8)
    var type = "text/plain; charset=utf-8"
    if refusal == .notFound {
      // With the script, the page is replaced when the file appears.
      text = LiveScript.injected(into: PackageResources.missing_html, revision: revision)
      type = "text/html; charset=utf-8"
    }
    return finish(
      .bytes(ReplyBody(text), status: refusal.status), [("Content-Type", type)] + headers)
  }
}

// MARK: - Where the bytes come from

extension Reply {
  private static func empty(status: Int = 200) -> Reply? { .bytes(ReplyBody([]), status: status) }

  /// The corresponding C function is `MHD_create_response_from_buffer_with_free_callback_cls`.
  private static func bytes(_ body: ReplyBody, status: Int = 200) -> Reply? {
    // The library never writes to the memory, which the reference keeps until it is done.
    let kept = unsafe Unmanaged.passRetained(body)
    let response = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
      body.count, UnsafeMutableRawPointer(mutating: body.buffer.baseAddress),
      { kept in
        guard let kept = unsafe kept else { return }
        unsafe Unmanaged<ReplyBody>.fromOpaque(kept).release()
      }, kept.toOpaque())
    let reply = unsafe Reply(status: status, size: body.count, response)
    if reply == nil { unsafe kept.release() }
    return reply
  }

  /// Lets the kernel send a part of an open file, whatever its name leads to by then.
  ///
  /// The corresponding C function is `MHD_create_response_from_fd_at_offset64`.
  private static func descriptor(_ number: Int32, _ range: Range<Int64>, status: Int) -> Reply? {
    let response = unsafe MHD_create_response_from_fd_at_offset64(
      UInt64(range.count), number, UInt64(range.lowerBound))
    let reply = unsafe Reply(status: status, size: range.count, response)
    // The library closes the file with its response; without one it is still ours.
    if reply == nil { _ = Descriptor(adopting: number) }
    return reply
  }

  /// Sends events as they come.
  ///
  /// The corresponding C function is `MHD_create_response_from_callback`.
  private static func stream(_ stream: EventStream) -> Reply? {
    let kept = unsafe Unmanaged.passRetained(stream)
    let response = unsafe MHD_create_response_from_callback(
      .max, 8192,
      { stream, _, buffer, room in
        guard let stream = unsafe stream, let buffer = unsafe buffer else { return -2 }
        return unsafe Unmanaged<EventStream>.fromOpaque(stream).takeUnretainedValue().read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: room))
      }, kept.toOpaque(),
      { stream in
        guard let stream = unsafe stream else { return }
        unsafe Unmanaged<EventStream>.fromOpaque(stream).takeRetainedValue().close()
      })
    let reply = unsafe Reply(status: 200, size: nil, response)
    if reply == nil { unsafe kept.takeRetainedValue().close() }
    return reply
  }
}
