import Files
import Glibc
import TestSupport

struct ServeTests {
  private static let words = ["serve", "--port", "0"]

  /// F15: before the first build, a waiting page is shown.
  @Test func `a waiting page is served during the first build`() throws {
    let gate = ProgramGate("after-decode")
    let watched = try WatchedSite(Self.words, gate: gate)
    let visitor = try Visitor(watched.program)
    try gate.reached()
    let page = visitor.get("")
    #expect(page.status == 503)
    #expect(page.text.contains("/-/live.js"))
    #expect(Self.pictures(of: page.text).isEmpty)
    let events = try EventReader(visitor.address)
    #expect(eventually { events.text.contains("\"revision\"") })
    try gate.open()
    #expect(watched.waitForLines(1))
    #expect(eventually { events.text.contains("\"index.html\"") })
    #expect(visitor.get("").status == 200)
    #expect(Self.broken(visitor) == [])
    let ending = try watched.interrupt()
    #expect(ending.status == 130)
    #expect(visitor.get("").status == 0)
    try watched.build()
    #expect(try watched.files == watched.coldFiles())
  }

  /// F15: during a build, the last finished site is served with all its pictures.
  @Test func `the previous site is served during a build`() throws {
    let site = try WatchedSite.twoPeople()
    #expect(try site.run(["build", "--quiet", "--manifest", "content/manifest.json"]).status == 0)
    try site.write(picture: WatchedSite.picture(.green), to: "a.png")
    let gate = ProgramGate("after-decode")
    let watched = try WatchedSite(Self.words, gate: gate, site: site)
    let visitor = try Visitor(watched.program)
    try gate.reached()
    let pictures = Self.pictures(of: visitor.get("").text)
    #expect(pictures.count == 2)
    #expect(Self.broken(visitor) == [])
    try gate.open()
    #expect(watched.waitForLines(1))
    #expect(Self.broken(visitor) == [])
    #expect(Self.pictures(of: visitor.get("").text) != pictures)
  }

  /// C8: during many rebuilds, a client always gets complete pages and files.
  @Test func `a client never receives a partial file`() throws {
    let watched = try WatchedSite(Self.words)
    let visitor = try Visitor(watched.program)
    #expect(watched.waitForLines(1))
    let findings = Locked<(rounds: Int, broken: [String])>((0, []))
    let isOver = Locked(false)
    let reader = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) {
        let broken = Self.broken(visitor)
        findings.withLock { findings in
          findings.rounds += 1
          findings.broken += broken
        }
      }
      reader.signal()
    }
    for round in 0..<(Extent.isAll ? 200 : 40) {
      let color = TestPicture.Pixel(UInt8(round), UInt8(255 - round), 77)
      try watched.site.folder.write(
        WatchedSite.picture(color), to: "content/\(round % 2 == 0 ? "a" : "b").png")
      #expect(watched.waitForLines(round + 2))
    }
    isOver.withLock { $0 = true }
    reader.wait()
    let (rounds, broken) = findings.withLock { $0 }
    #expect(broken == [])
    #expect(rounds > 3)
    _ = try watched.interrupt()
    try watched.build()
    #expect(try watched.files == watched.coldFiles())
  }

  @Test func `problems are shown on the page until they are fixed`() throws {
    let watched = try WatchedSite(Self.words)
    let visitor = try Visitor(watched.program)
    #expect(watched.waitForLines(1))
    let events = try EventReader(visitor.address)
    #expect(eventually { events.text.contains("\"problems\":[]") })
    try watched.site.write(manifest: "{ \"version\": 7 }")
    #expect(eventually { events.text.contains("\"isBuilt\":false") })
    #expect(events.text.contains("content/manifest.json:1:"))
    #expect(visitor.get("").status == 200)
    try watched.site.write(users: [("a", ["a.png"])])
    #expect(eventually { events.last.contains("\"problems\":[]") })
    try watched.site.write(users: [("a", ["a.png"]), ("b", ["missing.png"])])
    #expect(eventually { events.last.contains("missing.png") })
    #expect(events.last.contains("\"isBuilt\":true"))
    #expect(!visitor.get("").text.contains("Failed"))
  }

  @Test func `the server shows a page even if the first build fails`() throws {
    let site = SiteFolder()
    try site.write(manifest: "{")
    let watched = try WatchedSite(Self.words, site: site)
    let visitor = try Visitor(watched.program)
    #expect(watched.waitForLines(1))
    let page = visitor.get("")
    #expect(page.status == 503 && page.text.contains("/-/live.js"))
    try watched.site.write(users: [])
    try watched.site.write(manifest: "{\"version\": 1, \"users\": [{\"id\": \"a\"}]}")
    #expect(watched.waitForLines(2))
    #expect(visitor.get("").status == 200)
  }

  @Test func `a port in use is an error, and listening on all addresses is a warning`() throws {
    let watched = try WatchedSite(Self.words)
    let visitor = try Visitor(watched.program)
    let port = visitor.address.split(separator: ":").last.map { $0.filter(\.isNumber) } ?? ""
    let other = try WatchedSite(["serve", "--port", port])
    let ending = try other.program.ending()
    #expect(ending.status == 3)
    #expect(ending.err.contains("port \(port) is already in use [port-taken]"))

    let open = try WatchedSite(["serve", "--port", "0", "--host", "127.0.0.1"])
    _ = try Visitor(open.program)
    #expect(!open.program.complained.contains("[served-to-others]"))
    let wide = try WatchedSite(["serve", "--port", "0", "--host", "0.0.0.0"])
    _ = try Visitor(wide.program)
    #expect(wide.program.complained.contains("[served-to-others]"))
    let bad = try WatchedSite(["serve", "--host", "no.such.host.example"]).program.ending()
    #expect(bad.status == 2)
    #expect(bad.err.contains("[bad-host]"))
  }

  /// Returns the files that a visitor receives incomplete or not at all.
  private static func broken(_ visitor: Visitor) -> [String] {
    let page = visitor.get("")
    guard page.status == 200, page.text.contains("</html>") else { return ["\(page.status) /"] }
    return files(of: page.text).compactMap { path in
      let file = visitor.get(path)
      // A picture may be deleted after the page has changed.
      if file.status == 404, visitor.get("").text != page.text { return nil }
      let isWhole =
        file.status == 200 && (!path.hasSuffix(".png") || (try? PNGReader(file.bytes)) != nil)
      return isWhole ? nil : "\(file.status) \(path)"
    }
  }

  private static func pictures(of page: String) -> [String] {
    files(of: page).filter { $0.hasPrefix("assets/") }
  }

  /// Returns the files loaded by a page, except the server's own script.
  private static func files(of page: String) -> [String] {
    var files: [String] = []
    for piece in page.split(separator: "<") {
      guard ["img ", "source ", "script ", "link "].contains(where: piece.hasPrefix) else {
        continue
      }
      for name in ["src=\"", "srcset=\"", "href=\""] {
        guard let start = piece.range(of: name)?.upperBound else { continue }
        let value = piece[start...].prefix { $0 != "\"" }
        for candidate in value.split(separator: ",") {
          let path = candidate.split(separator: " ").first.map { String($0) } ?? ""
          if !path.hasPrefix("/-/"), !path.hasPrefix("http") { files.append(path) }
        }
      }
    }
    return files
  }
}

/// Collects a preview's events as text.
private final class EventReader: Sendable {
  private let socket: Socket
  private let collected = Locked("")

  init(_ address: String) throws {
    let host = address.split(separator: "/")[1]
    socket = try Socket(to: #require(host.split(separator: ":").last.flatMap { UInt16($0) }))
    socket.send("GET /-/events HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
    Thread.detachNewThread { [socket, collected] in
      while case .bytes(let bytes) = socket.receive() {
        collected.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      }
      socket.close()
    }
  }

  deinit { socket.shut() }

  var text: String { collected.withLock { $0 } }

  var last: Substring { text.split(separator: "data: ").last ?? "" }
}
