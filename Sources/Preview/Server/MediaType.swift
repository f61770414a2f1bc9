/// What a file is, by the end of its name; the machine's own table could say anything.
struct MediaType: Hashable, Sendable {
  /// As it stands in the header.
  let name: String
  /// Made of characters: gets a charset, and may be compressed.
  let isText: Bool

  var isPage: Bool { name.hasPrefix("text/html") }

  var isDrawing: Bool { name.hasPrefix("image/svg") }

  init(ofFile path: String) {
    let name =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() } ?? path[...]
    let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst() } ?? ""
    let lower = ending.lowercased()
    if let text = MediaType.texts[lower] {
      self.name = text + "; charset=utf-8"
      isText = true
    } else {
      self.name = MediaType.others[lower] ?? "application/octet-stream"
      isText = false
    }
  }

  private static let texts = [
    "atom": "application/atom+xml", "css": "text/css", "csv": "text/csv", "htm": "text/html",
    "html": "text/html", "js": "text/javascript", "json": "application/json",
    "jsonl": "application/jsonl", "map": "application/json", "md": "text/markdown",
    "mjs": "text/javascript", "rss": "application/rss+xml", "svg": "image/svg+xml",
    "txt": "text/plain", "vcf": "text/vcard", "webmanifest": "application/manifest+json",
    "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
  ]

  private static let others = [
    "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif",
    "gz": "application/gzip", "heic": "image/heic", "heif": "image/heif", "icns": "image/icns",
    "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "jxl": "image/jxl",
    "mp4": "video/mp4", "otf": "font/otf", "pdf": "application/pdf", "png": "image/png",
    "tif": "image/tiff", "tiff": "image/tiff", "ttf": "font/ttf", "wasm": "application/wasm",
    "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
    "zip": "application/zip",
  ]
}
