package import Dispatch

extension ScriptedServer {
  private static let types = [
    "html": "text/html", "css": "text/css", "js": "text/javascript", "json": "application/json",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp",
    "gif": "image/gif", "ico": "image/x-icon", "xml": "text/xml", "txt": "text/plain",
  ]

  /// Serves a folder with an optional Content-Security-Policy; each picture waits for `gate`.
  package convenience init(
    serving folder: String, policy: String? = nil, gate: DispatchSemaphore? = nil
  ) throws {
    try self.init { request in
      let target = request.target.prefix { $0 != "?" }
      if let gate, target.contains("/assets/") {
        _ = gate.wait(timeout: .now() + 60)
        gate.signal()
      }
      let path =
        (target.removingPercentEncoding ?? "") + (target.hasSuffix("/") ? "index.html" : "")
      guard let bytes = FileManager.default.contents(atPath: folder + path) else {
        return [.answer(404)]
      }
      let type = Self.types[(path as NSString).pathExtension] ?? "application/octet-stream"
      guard let policy else { return [.answer(200, ["Content-Type": type], body: bytes)] }
      return [.answer(200, ["Content-Type": type, "Content-Security-Policy": policy], body: bytes)]
    }
  }

  /// The requested paths in order, without the favicon that browsers request.
  package var paths: [String] { requests.map(\.target).filter { $0 != "/favicon.ico" } }
}
