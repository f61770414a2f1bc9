import Files
import Foundation
import Preview
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct FallbackTests {
  /// What a stand-in was asked for.
  final class Asked: Sendable {
    private let paths = Guarded<[String]>([])

    var all: [String] { paths.withLock { $0 } }

    func note(_ path: String) { paths.withLock { $0.append(path) } }
  }

  @Test func `who stands in is asked for what the folder does not have, and for nothing else`()
    throws
  {
    let asked = Asked()
    let served = try Served { path in
      asked.note(path)
      return path == "new/index.html" || path == "b c.txt"
        ? FallbackFile(bytes: Data("<p>new</p></body>".utf8), isForEver: false) : nil
    }
    for target in [
      "/", "/style.css", "/../x", "/.hidden", "/%00", "/-/live.js", "/-/x", "/people/ada",
      "/a%20b.txt",
    ] {
      _ = try served.ask(target)
    }
    #expect(asked.all == [])
    #expect(try served.ask("/new/").text == served.injected("<p>new</p></body>"))
    #expect(try served.ask("/b%20c.txt?x").text == "<p>new</p></body>")
    #expect(try served.ask("/x.png").status == 404)
    #expect(asked.all == ["new/index.html", "b c.txt", "x.png"])
    let redirect = try served.ask("/new")
    #expect(redirect.status == 308)
    #expect(redirect["location"] == "/new/")
  }

  @Test func `what stands in is kept for ever only where its path says so`() throws {
    let text = String(repeating: "<svg/>", count: 1_000)
    let name = String(repeating: "ab", count: 32)
    let served = try Served { path in
      path.hasPrefix("x")
        ? nil
        : FallbackFile(bytes: Data(text.utf8), isForEver: path.hasPrefix("assets/"))
    }
    for (path, control, tag) in [
      ("assets/ab/\(name).png", "public, max-age=31536000, immutable", "\"\(name)\""),
      ("assets/ab/\(name).svg", "public, max-age=31536000, immutable", "\"\(name)\""),
      ("icon.png", "no-store", nil), ("late.html", "no-store", nil),
    ] {
      let answer = try served.ask("/\(path)")
      #expect(answer.status == 200)
      #expect(answer["cache-control"] == control)
      #expect(answer["etag"] == tag)
      #expect(answer.text.hasPrefix(text))
      #expect(try served.ask("/\(path)", ["Range: bytes=0-1"]).status == 200)
      if let tag {
        #expect(try served.ask("/\(path)", ["If-None-Match: \(tag)"]).status == 304)
      }
      let packed = try served.ask("/\(path)", ["Accept-Encoding: gzip"])
      #expect((packed["content-encoding"] == "gzip") == !path.hasSuffix("png"))
      if path.hasSuffix("svg") { #expect(packed["etag"] == "\"\(name)-gzip\"") }
    }
  }

  @Test func `a file that appears while another is asked is served`() throws {
    let folder = TemporaryFolder()
    let site = folder.path(of: "site")
    let live = LiveChannel()
    let server = try PreviewServer(
      PreviewSettings(port: 0),
      site: ServedSite(folder: site, names: { _, _ in true }) { path in
        try? folder.write("late", to: "site/" + path)
        return nil
      }, live: live)
    defer { server.stop() }
    let port = try #require(URL(string: server.url)?.port.flatMap(UInt16.init))
    for name in ["a.txt", "b.txt"] {
      let wire = try #require(Wire(to: port))
      wire.send("GET /\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      #expect(wire.answer()?.text == "late")
    }
  }

  /// A server whose stand-in answers when the gate is opened.
  private func slow() throws -> (Served, Asked, DispatchSemaphore) {
    let gate = DispatchSemaphore(value: 0)
    let asked = Asked()
    let served = try Served { path in
      asked.note(path)
      gate.wait()
      gate.signal()
      return FallbackFile(bytes: Data(path.utf8), isForEver: false)
    }
    return (served, asked, gate)
  }

  @Test func `who takes his time holds nobody up`() throws {
    let (served, asked, gate) = try slow()
    defer { gate.signal() }
    // More than are asked at once: the others wait in a line.
    let waiting = try (0..<40).map { number in
      let wire = try served.wire()
      wire.send(served.request("/slow/\(number).txt") + served.request("/a%20b.txt"))
      return wire
    }
    #expect(eventually { asked.all.count == 8 })
    for _ in 0..<20 { #expect(try served.ask("/").status == 200) }
    #expect(asked.all.count == 8)
    gate.signal()
    for (number, wire) in waiting.enumerated() {
      #expect(wire.answer()?.text == "slow/\(number).txt")
      #expect(wire.answer()?.text == "a b")
    }
    #expect(asked.all.count == 40)
  }

  @Test func `who has left is not waited for`() throws {
    let (served, asked, gate) = try slow()
    defer { gate.signal() }
    let waiting = try (0..<8).map { number in
      let wire = try served.wire()
      wire.send(served.request("/slow/\(number).txt"))
      return wire
    }
    #expect(eventually { asked.all.count == 8 })
    for number in 8..<20 {
      try served.wire().send(served.request("/slow/\(number).txt"))
    }
    gate.signal()
    #expect(try served.ask("/slow/last.txt").text == "slow/last.txt")
    for wire in waiting { #expect(wire.answer()?.status == 200) }
    // For the others, nobody was asked.
    #expect(asked.all.count == 9)
  }
}
