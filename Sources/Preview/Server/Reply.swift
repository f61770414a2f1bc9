import CMicroHTTPD
import Files

struct Reply: ~Copyable {
  private let status: Int
  private let headers: [(name: String, value: String)]
  private let body: Body

  private enum Body: ~Copyable {
    case bytes([UInt8])
    /// An open file, which is sent with `sendfile` and not affected by later renames.
    case file(OpenFile)
    case stream(EventStream)
  }

  private init(
    _ body: consuming Body, status: Int = 200, type: String? = nil, caching: String = "no-store",
    _ more: [(String, String)] = []
  ) {
    self.status = status
    self.body = body
    // An SVG may contain inline styles.
    let styles = type?.hasPrefix("image/svg") == true ? "; style-src 'self' 'unsafe-inline'" : ""
    headers =
      [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", Reply.policy + styles),
        ("Cache-Control", caching),
      ] + (type.map { [("Content-Type", $0)] } ?? []) + more
  }

  /// The gallery's Content Security Policy, extended to forbid framing.
  ///
  /// It applies to all types, because an SVG or other XML file can be opened as a document.
  private static let policy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  var size: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(let file): Int(file.size)
    case .stream: nil
    }
  }
}

extension Reply {
  static func text(_ bytes: [UInt8], as type: String) -> Reply { Reply(.bytes(bytes), type: type) }

  /// Returns a page, which is never cached because it contains the current revision.
  static func page(_ bytes: [UInt8], status: Int = 200) -> Reply {
    Reply(.bytes(bytes), status: status, type: "text/html; charset=utf-8")
  }

  static func file(
    _ file: consuming OpenFile, _ path: String, _ type: String, _ request: Request
  ) -> Reply {
    var caching = "no-store"
    var tag: [(String, String)] = []
    // A content-addressed path: `assets/ab/<64 hexadecimal digits>.png`.
    if path.wholeMatch(of: /assets\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.[^\/]+/) != nil {
      caching = "public, max-age=31536000, immutable"
      tag = [("ETag", "\"\(path)\"")]
      if request.knows("\"\(path)\"") {
        return Reply(.bytes([]), status: 304, caching: caching, tag)
      }
    }
    // The library treats size 0 as unknown.
    if file.size == 0 { return Reply(.bytes([]), type: type, caching: caching, tag) }
    return Reply(.file(file), type: type, caching: caching, tag)
  }

  /// Redirects to a path, and therefore never to another site.
  static func redirect(to path: String) -> Reply {
    Reply(.bytes([]), status: 308, [("Location", path)])
  }

  static func events(_ stream: EventStream) -> Reply {
    Reply(.stream(stream), type: "text/event-stream; charset=utf-8")
  }

  static func refusal(_ refusal: Refusal) -> Reply {
    var headers: [(String, String)] = []
    if refusal.status == 405 { headers.append(("Allow", "GET, HEAD")) }
    // Bytes after an ambiguous request must not be parsed as another request (request smuggling).
    if refusal.status < 500 { headers.append(("Connection", "close")) }
    return Reply(
      .bytes(Array((refusal.text + "\n").utf8)), status: refusal.status,
      type: "text/plain; charset=utf-8", headers)
  }
}

extension Reply {
  /// Sends the reply; returns false if the connection must be closed.
  consuming func send(on connection: OpaquePointer) -> Bool {
    let (status, headers) = (status, headers)
    guard let response = unsafe response() else { return false }
    // The connection holds another reference to the response.
    defer { unsafe mhd.destroy_response(response) }
    for (name, value) in headers {
      _ = unsafe mhd.add_response_header(response, name, value)
    }
    return unsafe mhd.queue_response(connection, UInt32(status), response) == .YES
  }

  private consuming func response() -> OpaquePointer? {
    switch consume body {
    case .bytes(var bytes):
      return unsafe mhd.create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    case .file(let file):
      let size = UInt64(file.size)
      let number = file.release()
      let response = unsafe mhd.create_response_from_fd64(size, number)
      // The response owns the file; if the response cannot be created, close the file here.
      if unsafe response == nil { _ = Descriptor(adopting: number) }
      return unsafe response
    case .stream(let stream):
      let kept = unsafe Unmanaged.passRetained(stream)
      let response = unsafe mhd.create_response_from_callback(
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
      if unsafe response == nil { unsafe kept.takeRetainedValue().close() }
      return unsafe response
    }
  }
}
