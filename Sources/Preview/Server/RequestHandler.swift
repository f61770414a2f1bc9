import Files
import Foundation

struct RequestHandler: Sendable {
  let site: ServedSite
  let hosts: AllowedHosts
  let live: LiveChannel
  let settings: PreviewSettings

  /// The maximum size, in bytes, of a page with the script; larger pages are sent without it.
  private static let pageLimit = 32 << 20

  func reply(to request: Request, on socket: Int32) -> Reply {
    do {
      try request.check(hosts)
      let path = try request.path()
      // Paths that begin with `/-/` are reserved for the server.
      switch "/" + path {
      case LiveScript.path:
        return .text(LiveScript.bytes, as: MediaType.name(of: path))
      case LiveScript.events:
        try request.checkSameSite(hosts)
        guard let stream = live.open(socket, settings) else {
          throw Refusal(503, "Too many pages are waiting for events.")
        }
        return .events(stream)
      default:
        return try file(path, request) ?? missing()
      }
    } catch let refusal as Refusal {
      return refusal == .notFound ? missing() : .refusal(refusal)
    } catch let error as FileError where [.other, .full, .tooLarge].contains(error.reason) {
      return .refusal(Refusal(500, "The file cannot be read."))
    } catch {
      return missing()
    }
  }

  private func file(_ path: String, _ request: Request) throws(FileError) -> Reply? {
    // Open the folder for each request, because a build may have created or replaced it.
    let folder = try Folder(opening: site.folder)
    let isFolder = path.isEmpty || path.utf8.last == UInt8(ascii: "/")
    let name = isFolder ? path + "index.html" : path
    if site.names(name, folder), try folder.kind(of: name) == .file {
      // Never serve a file through a symlink.
      return try reply(folder.open(beneath: name, followingLinks: false), name, request)
    }
    let page = name + "/index.html"
    guard !isFolder, site.names(page, folder), try folder.kind(of: page) == .file else {
      return nil
    }
    return .redirect(to: request.target + "/")
  }

  /// Returns a page with a script that reloads the page once the missing file exists.
  private func missing() -> Reply {
    let folder = try? Folder(opening: site.folder)
    // A site with `pages: false` does not have an index page.
    let isWithoutPages =
      folder.map { site.names("assets.json", $0) && !site.names("index.html", $0) } ?? false
    let hasSite = (try? folder?.kind(of: "index.html")) != nil || isWithoutPages
    let page = hasSite ? PackageResources.missing_html : PackageResources.waiting_html
    return .page(
      LiveScript.injected(into: page, revision: live.revision), status: hasSite ? 404 : 503)
  }

  private func reply(
    _ file: consuming OpenFile, _ name: String, _ request: Request
  ) throws(FileError) -> Reply {
    let type = MediaType.name(of: name)
    if type.hasPrefix("text/html"), file.size <= RequestHandler.pageLimit {
      let page = try file.readBytes(upTo: RequestHandler.pageLimit)
      return .page(LiveScript.injected(into: page, revision: live.revision))
    }
    return .file(file, name, type, request)
  }
}

enum MediaType {
  /// Returns the type from a fixed table, because MIME tables differ between machines.
  static func name(of path: String) -> String {
    let start = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    return start.flatMap { types[path[$0...].lowercased()] } ?? "application/octet-stream"
  }

  private static let types = [
    ".avif": "image/avif", ".css": "text/css; charset=utf-8", ".csv": "text/csv; charset=utf-8",
    ".gif": "image/gif", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
    ".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8", ".pdf": "application/pdf", ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8", ".txt": "text/plain; charset=utf-8",
    ".vcf": "text/vcard; charset=utf-8", ".webp": "image/webp",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".xml": "application/xml; charset=utf-8", ".zip": "application/zip",
  ]
}
