import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct CachingTests {
  let served: Served

  init() throws { served = try Served() }

  // MARK: - What is kept

  @Test func `only a path that names its bytes is kept for ever`() throws {
    let forEver = "public, max-age=31536000, immutable"
    let digits = String(Served.picture.dropFirst("assets/ab/".count).dropLast(".png".count))
    #expect(digits.utf8.count == 64)
    for (path, control) in [
      (Served.picture, forEver), ("assets/ab/\(digits).svg", forEver),
      ("assets/cd/\(digits).png", "no-cache"), ("assets/ab/\(digits.dropLast()).png", "no-cache"),
      ("assets/ab/\(digits.uppercased()).png", "no-cache"), ("assets/\(digits).png", "no-cache"),
      ("assets/ab/\(digits)", "no-cache"), ("x/assets/ab/\(digits).png", "no-cache"),
      ("style.css", "no-cache"), ("gallery.js", "no-cache"), ("assets.json", "no-cache"),
      ("favicon.ico", "no-cache"), ("index.html", "no-store"),
    ] {
      try served.folder.write("x", to: "site/\(path)")
      let answer = try served.ask("/\(path)")
      #expect(answer["cache-control"] == control, "\(path)")
      #expect((answer["etag"] == nil) == (control == "no-store"), "\(path)")
    }
    #expect(try served.ask("/\(Served.picture)")["etag"] == "\"\(digits)\"")
    for target in ["/missing", "/people", "/../x", "/-/live.js"] {
      #expect(try served.ask(target)["cache-control"] == "no-store", "\(target)")
    }
  }

  // MARK: - Asking again

  /// S15: If-None-Match is answered with 304.
  @Test func `who has the bytes is not sent them again`() throws {
    for target in ["/\(Served.picture)", "/style.css", "/big.bin"] {
      let tag = try #require(try served.ask(target)["etag"])
      for header in [
        tag, "W/\(tag)", "*", "\"a\", \(tag)", "\"a\",W/\"b\" , W/\(tag)", "\t\(tag),\"c\"",
        "\"a, b\", \(tag)",
      ] {
        for method in ["GET", "HEAD"] {
          let answer = try served.ask(target, ["If-None-Match: \(header)"], method: method)
          #expect(answer.status == 304, "\(target) \(header)")
          #expect(answer["etag"] == tag)
          #expect(answer["cache-control"] != nil)
        }
      }
      for header in ["\"a\"", tag.dropLast() + "", "x\(tag)", "\"\(tag)\"", "", "w/\(tag)"] {
        #expect(
          try served.ask(target, ["If-None-Match: \(header)"]).status == 200, "\(target) \(header)")
      }
    }
    let wire = try served.wire()
    let tag = try #require(try served.ask("/big.bin")["etag"])
    wire.send(served.request("/big.bin", ["If-None-Match: \(tag)"]) + served.request("/a%20b.txt"))
    #expect(wire.answer()?.status == 304)
    #expect(wire.answer()?.text == "a b")
  }

  @Test func `a file that was replaced has another tag`() throws {
    var tags: Set<String> = []
    for number in 0..<20 {
      try served.folder.write("body { margin: \(number % 10) }", to: "site/new.css")
      try FileManager.default.removeItem(atPath: served.folder.path(of: "site/style.css"))
      try FileManager.default.moveItem(
        atPath: served.folder.path(of: "site/new.css"),
        toPath: served.folder.path(of: "site/style.css"))
      tags.insert(try #require(try served.ask("/style.css")["etag"]))
    }
    #expect(tags.count == 20)
  }

  @Test func `a page is always sent, since it carries the moment`() throws {
    #expect(try served.ask("/", ["If-None-Match: *"]).status == 200)
    #expect(try served.ask("/", ["Range: bytes=0-3"]).status == 200)
  }

  // MARK: - Ranges

  /// S8: a range is never more than the file.
  @Test func `any range of any file is that part of it`() throws {
    var random = SeededRandom(seed: 5)
    let wire = try served.wire()
    for _ in 0..<300 {
      let size = 1 + random.next(upTo: 20_000)
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }
      try served.folder.write(bytes, to: "site/any.bin")
      let first = random.next(upTo: size + size / 4)
      let last = first + random.next(upTo: size)
      let header: String
      var part = first..<max(min(last + 1, size), first)
      switch random.next(upTo: 3) {
      case 0: header = "\(first)-\(last)"
      case 1:
        header = "\(first)-"
        part = first..<max(size, first)
      default:
        header = "-\(last)"
        part = max(size - last, 0)..<size
      }
      wire.send(served.request("/any.bin", ["Range: bytes=\(header)"]))
      let answer = try #require(wire.answer())
      if part.isEmpty {
        #expect(answer.status == 416, "\(header) of \(size)")
        #expect(answer["content-range"] == "bytes */\(size)")
      } else {
        #expect(answer.status == 206, "\(header) of \(size)")
        #expect(answer.body == Array(bytes[part]), "\(header) of \(size)")
        #expect(
          answer["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
      }
    }
  }

  @Test func `a range is of the file that was begun, or else all of it is sent`() throws {
    let tag = try #require(try served.ask("/big.bin")["etag"])
    for (header, status) in [
      (tag, 206), ("W/\(tag)", 200), ("\"a\"", 200), ("Sun, 22 Nov 2026 07:00:00 GMT", 200),
      ("*", 200), ("", 200),
    ] {
      let answer = try served.ask("/big.bin", ["Range: bytes=0-9", "If-Range: \(header)"])
      #expect(answer.status == status, "\(header)")
      #expect(answer.body.count == (status == 206 ? 10 : 100_000))
    }
    #expect(try served.ask("/empty.bin", ["Range: bytes=0-"]).status == 416)
    #expect(try served.ask("/big.bin", ["Range: bytes=0-9"], method: "HEAD").status == 200)
  }

  @Test func `that there is no such range is kept by nobody`() throws {
    for target in ["/\(Served.picture)", "/big.bin"] {
      let answer = try served.ask(target, ["Range: bytes=100000-"])
      #expect(answer.status == 416)
      #expect(answer["cache-control"] == "no-store")
      #expect(answer["etag"] == nil)
    }
  }

  // MARK: - Compression

  @Test func `text is compressed for whoever takes it`() throws {
    for (header, isPacked) in [
      ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=0.5", true),
      ("gzip ; q=0.001", true), ("*", true), ("gzip;q=0", false), ("gzip; q=0.000", false),
      ("gzip;q=2", false), ("gzip;q=-1", false), ("gzip;q=nan", false), ("gzip;q=", false),
      ("*;q=0", false), ("*, gzip;q=0", false), ("identity", false), ("", false),
      ("gzipped", false), ("br", false), ("*;q=0, gzip", true),
    ] {
      let answer = try served.ask("/style.css", ["Accept-Encoding: \(header)"])
      #expect((answer["content-encoding"] == "gzip") == isPacked, "\(header)")
      #expect(answer["vary"] == "Accept-Encoding")
    }
    try served.folder.write(Data(count: (4 << 20) + 1), to: "site/huge.css")
    for target in ["/big.bin", "/a%20b.txt", "/huge.css", "/\(Served.picture)"] {
      #expect(try served.ask(target, ["Accept-Encoding: gzip"])["content-encoding"] == nil)
    }
  }

  @Test func `what is compressed becomes the same bytes again`() throws {
    var random = SeededRandom(seed: 3)
    for size in [1024, 5_000, 70_000, 1_000_000] {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0x61...0x66, using: &random) }
      for (name, wanted) in [
        ("t.css", String(decoding: bytes, as: UTF8.self)),
        ("t.html", served.injected(String(decoding: bytes, as: UTF8.self) + "</body>")),
      ] {
        try served.folder.write(
          name == "t.css" ? wanted : String(decoding: bytes, as: UTF8.self) + "</body>",
          to: "site/\(name)")
        // The second comes from memory.
        for _ in 0..<2 {
          let answer = try served.ask("/\(name)", ["Accept-Encoding: gzip"])
          #expect(answer["content-encoding"] == "gzip")
          #expect(answer.body.count < size)
          #expect(try unpacked(answer.body) == Array(wanted.utf8))
        }
      }
    }
  }

  @Test func `compressed text has a tag of its own and no ranges`() throws {
    let plain = try #require(try served.ask("/style.css")["etag"])
    let packed = try served.ask("/style.css", ["Accept-Encoding: gzip", "Range: bytes=0-9"])
    #expect(packed.status == 200)
    #expect(packed["content-encoding"] == "gzip")
    let tag = try #require(packed["etag"])
    #expect(tag != plain)
    let gzip = "Accept-Encoding: gzip"
    #expect(try served.ask("/style.css", [gzip, "If-None-Match: \(tag)"]).status == 304)
    #expect(try served.ask("/style.css", [gzip, "If-None-Match: \(plain)"]).status == 200)
    #expect(try served.ask("/style.css", ["If-None-Match: \(tag)"]).status == 200)
  }

  /// What `gzip` makes of it.
  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    try served.folder.write(bytes, to: "packed.gz")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc", served.folder.path(of: "packed.gz")]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let result = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Array(result)
  }
}
