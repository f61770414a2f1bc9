import Files
import Foundation

extension Desk {
  /// Goes with everything.
  private static let common = [
    // What we say a file is holds, whatever it looks like.
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    // Pages of other sites cannot show what is here.
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// As strict as the gallery's own, and nobody may put a page into a frame.
  ///
  /// Not for pages alone: whoever goes to a drawing or to other XML gets a document, too.
  private static let policy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  private func finish(
    _ reply: Reply?, _ headers: [(String, String)], policy: String = Desk.policy
  ) -> Reply? {
    reply?.add(Desk.common + [("Content-Security-Policy", policy)] + headers)
    return reply
  }

  private func finish(
    _ reply: Reply?, _ type: MediaType, _ headers: [(String, String)]
  ) -> Reply? {
    finish(
      reply,
      [("Content-Type", type.name)]
        // Whether it is compressed depends on who asks.
        + (type.isText ? [("Vary", "Accept-Encoding")] : []) + headers,
      // A drawing may have styles in itself.
      policy: Desk.policy + (type.isDrawing ? "; style-src 'self' 'unsafe-inline'" : ""))
  }

  // MARK: - Files

  func text(_ bytes: Bytes, ofFile path: String, _ caching: Caching) -> Reply? {
    finish(.bytes(bytes), MediaType(ofFile: path), caching.headers)
  }

  /// What was made in a form.
  func text(_ bytes: Bytes, _ form: Form) -> Reply? {
    finish(
      .bytes(bytes), form.type,
      (form.isPacked ? [("Content-Encoding", "gzip")] : []) + form.caching.headers)
  }

  /// The file as it is, or a part of it.
  func plain(_ file: consuming OpenFile, _ form: Form, _ request: Request) -> Reply? {
    let size = file.size
    var status = 200
    var part = 0..<size
    var headers = form.caching.headers + [("Accept-Ranges", "bytes")]
    if form.caching.isBegun(by: request), !request.isHead {
      switch ByteRange(request.ranges, of: size) {
      case .whole: break
      case .part(let range):
        status = 206
        part = range
        headers.append(
          ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      case .nowhere:
        // The file may be kept, but not that somebody asked for what it does not have.
        return finish(
          .bytes(Bytes([]), status: 416),
          Caching.never.headers + [("Content-Range", "bytes */\(size)")])
      }
    }
    // The library takes a file without bytes for one of unknown size.
    if part.isEmpty { return finish(.bytes(Bytes([])), form.type, headers) }
    return finish(.file(file, part, status: status), form.type, headers)
  }

  func notModified(_ form: Form) -> Reply? {
    finish(
      .bytes(Bytes([]), status: 304),
      form.caching.headers + (form.type.isText ? [("Vary", "Accept-Encoding")] : []))
  }

  // MARK: - Events

  private static let eventHeaders = [
    ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
  ]

  func events(_ reader: StreamReader) -> Reply? {
    finish(.events(reader), Desk.eventHeaders)
  }

  /// What HEAD is told of events.
  func eventHead() -> Reply? {
    finish(.bytes(Bytes([])), Desk.eventHeaders)
  }

  // MARK: - No file

  /// Nothing of it but the path, so it cannot lead to another site.
  func redirect(_ path: RequestPath) -> Reply? {
    finish(
      .bytes(Bytes([]), status: 308),
      [("Location", path.slashed), ("Cache-Control", "no-store")])
  }

  func refuse(_ refusal: Refusal, _ request: Request) -> Reply? {
    var headers = Caching.never.headers
    if refusal == .badMethod { headers.append(("Allow", "GET, HEAD")) }
    if refusal.endsConnection { headers.append(("Connection", "close")) }
    guard refusal == .notFound else {
      headers.append(("Content-Type", "text/plain; charset=utf-8"))
      return finish(
        .bytes(Bytes(Array((refusal.words + "\n").utf8)), status: refusal.status), headers)
    }
    // It goes away by itself when the file appears.
    let page = Injection.into(Array(Desk.missingPage.utf8), revision: live.revision)
    let type = MediaType(ofFile: "404.html")
    return finish(
      .bytes(Bytes(page), status: 404), [("Content-Type", type.name)] + headers)
  }

  /// Says nothing of the request, so nothing of it must be escaped.
  private static let missingPage = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Not found</title>
    </head>
    <body>
    <main>
    <h1>Not found</h1>
    <p>There is no such file in this site. When there is one, it appears here by itself.</p>
    <p><a href="/">To the start</a></p>
    </main>
    </body>
    </html>

    """
}
