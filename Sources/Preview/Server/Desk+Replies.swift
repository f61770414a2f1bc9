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
  static let policy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  private func finish(_ reply: Reply?, _ headers: [(String, String)]) -> Reply? {
    reply?.add(Desk.common + headers)
    return reply
  }

  private func typed(_ type: MediaType) -> [(String, String)] {
    [("Content-Type", type.name)]
      + (type.isPage ? [("Content-Security-Policy", Desk.policy)] : [])
      // Whether it is compressed depends on who asks.
      + (type.isText ? [("Vary", "Accept-Encoding")] : [])
  }

  // MARK: - Files

  func text(_ bytes: Bytes, _ headers: [(String, String)]) -> Reply? {
    finish(.bytes(bytes), headers)
  }

  func text(
    _ bytes: Bytes, ofFile path: String, _ caching: Caching, isPacked: Bool = false
  ) -> Reply? {
    let packing = isPacked ? [("Content-Encoding", "gzip")] : []
    return text(bytes, typed(MediaType(ofFile: path)) + packing + caching.headers)
  }

  /// The file as it is, or a part of it.
  func plain(
    _ file: consuming OpenFile, _ type: MediaType, _ caching: Caching, _ request: Request
  ) -> Reply? {
    let size = file.size
    var status = 200
    var part = 0..<size
    var headers = typed(type) + caching.headers + [("Accept-Ranges", "bytes")]
    if caching.isBegun(by: request), !request.isHead {
      switch ByteRange(request.ranges, of: size) {
      case .whole: break
      case .part(let range):
        status = 206
        part = range
        headers.append(
          ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      case .nowhere:
        return finish(
          .bytes(Bytes([]), status: 416),
          caching.headers + [("Content-Range", "bytes */\(size)")])
      }
    }
    // The library takes a file without bytes for one of unknown size.
    if part.isEmpty { return finish(.bytes(Bytes([])), headers) }
    return finish(.file(file, part, status: status), headers)
  }

  func notModified(_ caching: Caching, isText: Bool) -> Reply? {
    finish(
      .bytes(Bytes([]), status: 304),
      caching.headers + (isText ? [("Vary", "Accept-Encoding")] : []))
  }

  // MARK: - Whoever stands in

  func reply(_ standIn: StandIn, _ path: String, _ request: Request) -> Reply? {
    let type = MediaType(ofFile: path)
    if type.isPage {
      let page = Injection.into(Array(standIn.bytes), revision: live.revision)
      return packed(page, path, .never, request)
    }
    // Without a name for the bytes there is nothing to ask for again.
    guard standIn.isForEver else { return packed(Array(standIn.bytes), path, .never, request) }
    let tag = EntityTag(path: path)
    let isPacked = type.isText && mayPack(standIn.bytes.count, request)
    let caching = Caching.forEver(isPacked ? tag?.packed : tag)
    if caching.isKnown(to: request) { return notModified(caching, isText: type.isText) }
    return packed(Array(standIn.bytes), path, caching, request)
  }

  /// Compressed if it is a text, and if that is wanted and pays.
  private func packed(
    _ bytes: [UInt8], _ path: String, _ caching: Caching, _ request: Request
  ) -> Reply? {
    guard MediaType(ofFile: path).isText, mayPack(bytes.count, request),
      let packed = Gzip.compressed(bytes)
    else { return text(Bytes(bytes), ofFile: path, caching) }
    return text(Bytes(packed), ofFile: path, caching, isPacked: true)
  }

  /// Whether a text of this size is compressed for whoever asks.
  func mayPack(_ size: Int, _ request: Request) -> Bool {
    size >= Desk.packedFrom && size <= Desk.packedUpTo && Gzip.isAccepted(by: request.encodings)
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
      .bytes(Bytes(page), status: 404),
      [("Content-Type", type.name), ("Content-Security-Policy", Desk.policy)] + headers)
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
