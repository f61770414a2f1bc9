import Bytes
import Files

/// How the bytes of a file are sent: as what type, compressed or not, and kept for how long.
struct Representation: Hashable, Sendable {
  let type: MediaType
  let isGzip: Bool
  /// With our script in it.
  let isInjected: Bool
  let caching: Caching

  /// Larger pages are sent as they are, without the script.
  static let pageLimit = 32 << 20
  /// Smaller texts are not worth compressing; for larger ones it takes longer than it saves on this
  /// machine.
  private static let gzipSizes = 1024...(4 << 20)

  /// The caching is that of the file's own bytes.
  init(_ path: String, size: Int, _ caching: Caching, for request: Request) {
    type = MediaType(ofFile: path)
    isGzip = type.isText && Representation.gzipSizes.contains(size) && request.acceptsGzip
    isInjected = type.isPage && size <= Representation.pageLimit
    self.caching = type.isPage ? .never : isGzip ? caching.compressed : caching
  }

  /// The file's own bytes.
  var isPlain: Bool { !isGzip && !isInjected }

  func body(of bytes: [UInt8], revision: Int) throws(Deflate.OutOfMemory) -> ReplyBody {
    let text = isInjected ? LiveScript.injected(into: bytes, revision: revision) : bytes
    return ReplyBody(isGzip ? try Deflate.compressed(text, as: .gzip, level: 6) : text)
  }
}

/// What browsers may keep, and how they ask whether it is still valid.
struct Caching: Hashable, Sendable {
  /// The value of Cache-Control.
  let control: String
  /// Nil for what is never asked for again.
  let tag: EntityTag?

  /// For pages too: each carries the current revision.
  static let never = Caching(control: "no-store", tag: nil)

  static func forEver(_ tag: EntityTag?) -> Caching {
    Caching(control: "public, max-age=31536000, immutable", tag: tag)
  }

  /// For a file of the folder: kept for ever if its path names its bytes, else checked each time.
  static func file(_ path: String, _ tag: EntityTag) -> Caching {
    EntityTag(path: path) != nil ? .forEver(tag) : Caching(control: "no-cache", tag: tag)
  }

  /// The same for the compressed bytes.
  var compressed: Caching { Caching(control: control, tag: tag?.compressed) }

  /// Whether the client has these bytes already.
  func isKnown(to request: Request) -> Bool {
    tag?.isNamed(in: request.ifNoneMatch) ?? false
  }

  /// Whether a range is wanted only of these bytes, or of any.
  func allowsRange(of request: Request) -> Bool {
    request.ifRange.isEmpty || request.ifRange.count == 1 && request.ifRange[0] == tag?.text
  }

  var headers: [(String, String)] {
    [("Cache-Control", control)] + (tag.map { [("ETag", $0.text)] } ?? [])
  }
}

/// Names the bytes of a file, in quotes: other bytes have another tag.
struct EntityTag: Hashable, Sendable {
  let text: String

  /// Of an open file: the stamp tells versions apart, since builds write new files and rename them.
  init(path: String, stamp: FileStamp) {
    if let tag = EntityTag(path: path) {
      self = tag
      return
    }
    let parts = [
      stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified),
      UInt64(bitPattern: stamp.changed),
    ]
    text = "\"" + parts.map { String($0, radix: 36) }.joined(separator: "-") + "\""
  }

  /// Of a path that names its bytes, `assets/ab/<64 hexadecimal digits>.png`; nil for any other.
  init?(path: String) {
    let bytes = path.utf8
    let folder = bytes.dropFirst("assets/".utf8.count).prefix(2)
    let digits = bytes.dropFirst("assets/ab/".utf8.count).prefix(64)
    let ending = bytes[digits.endIndex...]
    guard digits.count == 64, bytes.starts(with: "assets/".utf8), digits.starts(with: folder),
      bytes[folder.endIndex] == UInt8(ascii: "/"), ending.first == UInt8(ascii: "."),
      ending.count > 1, !ending.contains(UInt8(ascii: "/")),
      digits.allSatisfy({ $0.isHexDigit && !(0x41...0x46).contains($0) })
    else { return nil }
    text = "\"\(Substring(digits))\""
  }

  private init(text: String) { self.text = text }

  /// The tag of the same file compressed.
  var compressed: EntityTag { EntityTag(text: text.dropLast() + "-gzip\"") }

  /// Whether If-None-Match names it; weakly, as that header demands.
  func isNamed(in headers: [String]) -> Bool {
    headers.contains { header in
      var rest = header.utf8[...]
      let quote = UInt8(ascii: "\"")
      while true {
        rest = rest.drop { " \t,".utf8.contains($0) }
        if rest.first == UInt8(ascii: "*") { return true }
        if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
        guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else {
          return false
        }
        if rest[...end].elementsEqual(text.utf8) { return true }
        rest = rest[rest.index(after: end)...]
      }
    }
  }
}

/// What a file is, by its extension; the machine's own table could say anything.
struct MediaType: Hashable, Sendable {
  /// The value of Content-Type.
  let name: String
  /// It gets a charset, and may be compressed.
  let isText: Bool

  var isPage: Bool { name.hasPrefix("text/html") }

  var isDrawing: Bool { name.hasPrefix("image/svg") }

  init(ofFile path: String) {
    let start = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    let ending = start.map { path[$0...].lowercased() } ?? ""
    let text = MediaType.texts[ending]
    isText = text != nil
    name =
      text.map { $0 + "; charset=utf-8" } ?? MediaType.others[ending] ?? "application/octet-stream"
  }

  private static let texts = [
    ".atom": "application/atom+xml", ".css": "text/css", ".csv": "text/csv", ".htm": "text/html",
    ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
    ".jsonl": "application/jsonl", ".map": "application/json", ".md": "text/markdown",
    ".mjs": "text/javascript", ".rss": "application/rss+xml", ".svg": "image/svg+xml",
    ".txt": "text/plain", ".vcf": "text/vcard", ".webmanifest": "application/manifest+json",
    ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
  ]

  private static let others = [
    ".apng": "image/apng", ".avif": "image/avif", ".bmp": "image/bmp", ".gif": "image/gif",
    ".gz": "application/gzip", ".heic": "image/heic", ".heif": "image/heif", ".icns": "image/icns",
    ".ico": "image/x-icon", ".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".jxl": "image/jxl",
    ".mp4": "video/mp4", ".otf": "font/otf", ".pdf": "application/pdf", ".png": "image/png",
    ".tif": "image/tiff", ".tiff": "image/tiff", ".ttf": "font/ttf", ".wasm": "application/wasm",
    ".webm": "video/webm", ".webp": "image/webp", ".woff": "font/woff", ".woff2": "font/woff2",
    ".zip": "application/zip",
  ]
}

extension LiveScript {
  /// The page with the script before its last `</body>`, or at its end.
  static func injected(into page: [UInt8], revision: Int) -> [UInt8] {
    let element = Array("<script src=\"\(path)\" data-revision=\"\(revision)\"></script>".utf8)
    let position = lastBodyEnd(of: page) ?? page.count
    return page[..<position] + element + page[position...]
  }

  private static func lastBodyEnd(of page: [UInt8]) -> Int? {
    let wanted = Array("</body>".utf8)
    // A plain loop, since it runs over large pages in debug builds too.
    var start = page.count - wanted.count
    while start >= 0 {
      if page[start] == wanted[0],
        wanted.indices.allSatisfy({ page[start + $0].asciiLowercased == wanted[$0] })
      {
        return start
      }
      start -= 1
    }
    return nil
  }
}
