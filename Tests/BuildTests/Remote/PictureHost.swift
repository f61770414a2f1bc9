import Files
import SiteSupport

/// A host with pictures, and a site whose manifest may fetch from it.
final class PictureHost {
  struct Picture: Sendable {
    var bytes: Data
    /// The entity tag; nil omits the header.
    var etag: String?
    var cacheControl: String?
    var status = 200

    init(
      _ color: TestPicture.Pixel, etag: String? = nil, cacheControl: String? = "no-cache",
      side: Int = 16
    ) {
      bytes = TestPicture.png(width: side, height: side, kind: .color) { _, _ in color }
      self.etag = etag ?? "\"\(color.red)-\(color.green)-\(color.blue)\""
      self.cacheControl = cacheControl
    }
  }

  let site: TestSite
  let server: ScriptedServer
  private let pictures: Locked<[String: Picture]>

  init() throws {
    site = try TestSite()
    let pictures = Locked<[String: Picture]>([:])
    self.pictures = pictures
    server = try ScriptedServer { request in
      let path = request.target.split(separator: "?").first.map(String.init) ?? request.target
      guard let picture = pictures.withLock({ $0[path] }) else { return [.answer(404)] }
      return [Self.answer(request, picture)]
    }
  }

  private static func answer(
    _ request: ScriptedServer.Request, _ picture: Picture
  ) -> ScriptedServer.Step {
    let control = picture.cacheControl ?? "no-cache"
    guard picture.status == 200 else { return .answer(picture.status) }
    guard let etag = picture.etag else {
      return .answer(200, ["Cache-Control": control], body: picture.bytes)
    }
    if request["If-None-Match"] == etag {
      return .answer(304, ["ETag": etag, "Cache-Control": control])
    }
    return .answer(200, ["ETag": etag, "Cache-Control": control], body: picture.bytes)
  }

  subscript(path: String) -> Picture? {
    get { pictures.withLock { $0[path] } }
    set { pictures.withLock { $0[path] = newValue } }
  }

  func url(_ path: String) -> String { server.url(path) }

  var network: String { network() }

  func network(_ more: String = "") -> String {
    "network: { allow: [127.0.0.1], ports: [\(server.port)]\(more.isEmpty ? "" : ", \(more)") }"
  }

  func write(_ people: [Person], styles: [String] = [TestSite.small], more: String = "") throws {
    try site.write(people, styles: styles, more: network(more))
  }

  /// Returns the number of requests since the last call, by path.
  func asked() -> [String: Int] {
    let all = server.requests
    defer { counted = all.count }
    return all.dropFirst(counted).reduce(into: [:]) { $0[$1.target, default: 0] += 1 }
  }

  private var counted = 0

  /// Builds with a short timeout, for pictures whose host stalls.
  @discardableResult
  func build(
    at seconds: Int64 = 0, _ adjust: (inout FetchingOptions) -> Void = { _ in }
  ) throws -> BuildResult {
    try site.build(jobs: 2) { options in
      options.fetching.clockOffset = seconds
      adjust(&options.fetching)
    }
  }

  func status(of user: String) throws -> String? { try site.assets().users[user]?.status }
}

extension BuildResult {
  /// The failure reasons by user.
  var reasons: [String: String] {
    Dictionary(report.failures.map { ($0.user, $0.reason) }) { first, _ in first }
  }
}
