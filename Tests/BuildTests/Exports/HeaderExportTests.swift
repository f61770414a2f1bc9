import SiteSupport

struct HeaderExportTests {
  private func site() throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("ada", background: "red")], more: "exports: [aliases, headers]")
    try site.build()
    return site
  }

  @Test func `the files for web hosts are listed in the ledger`() throws {
    let site = try site()
    let names = [".nojekyll", "_headers", "nginx-headers.conf"]
    let ledger = try site.text(".sitegen-files")
    for name in names {
      #expect(ledger.contains(" \(name)\n") && site.folder.exists("output/\(name)"))
    }
    #expect(try site.text(".nojekyll").isEmpty)
    try site.age("output")
    try site.build()
    #expect(try site.build().report.upToDate)
  }

  /// Netlify and Cloudflare merge the headers of all matching rules.
  @Test func `header rules do not overlap`() throws {
    let rules = try site().text("_headers").split(separator: "\n").filter { !$0.hasPrefix("#") }
    let paths = rules.filter { $0.hasPrefix("/") }
    #expect(paths == ["/assets/*", "/u/*"])
    #expect(
      rules.count == 4
        && rules.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("  Cache-Control: ") })
  }

  private static let forEver = "Cache-Control: public, max-age=31536000, immutable"
  private static let askFirst = "Cache-Control: no-cache"

  /// Returns an nginx block of docs/howto/deploy.md, adapted to the test server.
  private func lines(_ number: Int, for output: String) throws -> String {
    let blocks = try Checkout.blocks(of: "nginx", in: "docs/howto/deploy.md")
    try #require(blocks.count == 2)
    var lines = blocks[number].components(separatedBy: "\n")
    if lines[0] == "server {" {
      lines = lines.dropFirst().filter { line in
        !["  listen ", "  server_name ", "  root ", "}"].contains(where: line.hasPrefix)
      }
    }
    return lines.joined(separator: "\n").replacingOccurrences(of: "/srv/team/output", with: output)
  }

  @Test(.needs(.nginx), arguments: [(0, ""), (1, "/team")])
  func `nginx sends the documented cache headers`(number: Int, place: String) throws {
    let site = try site()
    let output = site.folder.path(of: "output")
    let server = try NginxServer(
      serving: place.isEmpty ? output : site.folder.path(of: "content"),
      more: lines(number, for: output))
    func headers(_ path: String, _ more: String = "") throws -> [String] {
      let socket = try Socket(to: server.port)
      defer { socket.close() }
      socket.send(
        "GET \(place)/\(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(more)\r\n".utf8)
      let head = String(decoding: socket.rest(), as: UTF8.self).components(separatedBy: "\r\n\r\n")[
        0]
      return head.components(separatedBy: "\r\n").filter {
        $0.hasPrefix("HTTP/") || $0.hasPrefix("Cache-Control:") || $0.hasPrefix("ETag:")
          || $0.hasPrefix("Content-Encoding:")
      }
    }
    let asset = try site.image(of: "ada").path
    for (path, caching) in [
      (asset, Self.forEver), ("u/ada/small.png", Self.askFirst), ("index.html", Self.askFirst),
      ("", Self.askFirst), ("assets.json", Self.askFirst), ("gallery.css", Self.askFirst),
    ] {
      let answer = try headers(path)
      #expect(answer.first == "HTTP/1.1 200 OK", "\(path)")
      #expect(answer.filter { $0.hasPrefix("Cache-Control") } == [caching], "\(path)")
      let tag = try #require(answer.first { $0.hasPrefix("ETag: ") })
      let again = try headers(path, "If-None-Match: \(tag.dropFirst(6))\r\n")
      #expect(again.first == "HTTP/1.1 304 Not Modified" && again.contains(caching), "\(path)")
    }
    // A missing picture must not be cached.
    let missing = try headers(asset.replacingOccurrences(of: ".png", with: ".webp"))
    #expect(missing == ["HTTP/1.1 404 Not Found"])
    if place.isEmpty {
      #expect(try headers(".sitegen-files") == ["HTTP/1.1 404 Not Found"])
      #expect(
        try headers("index.html", "Accept-Encoding: gzip\r\n").contains("Content-Encoding: gzip"))
    }
  }
}
