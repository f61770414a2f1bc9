import TestSupport

@Suite(.timeLimit(.minutes(15))) struct CachingTests {
  let served: Served

  init() throws { served = try Served() }

  @Test func `only content-addressed paths are cacheable`() throws {
    let kept = "public, max-age=31536000, immutable"
    let digits = String(Served.picture.dropFirst("assets/ab/".count).dropLast(".png".count))
    #expect(digits.utf8.count == 64)
    for (path, control) in [
      (Served.picture, kept), ("assets/ab/\(digits).svg", kept),
      ("assets/cd/\(digits).png", "no-store"), ("assets/ab/\(digits.dropLast()).png", "no-store"),
      ("assets/ab/\(digits.uppercased()).png", "no-store"), ("assets/\(digits).png", "no-store"),
      ("assets/ab/\(digits)", "no-store"), ("x/assets/ab/\(digits).png", "no-store"),
      ("style.css", "no-store"), ("assets.json", "no-store"), ("index.html", "no-store"),
    ] {
      try served.folder.write("x", to: "site/\(path)")
      let answer = try served.ask("/\(path)")
      #expect(answer["cache-control"] == control, "\(path)")
      #expect((answer["etag"] == nil) == (control == "no-store"), "\(path)")
    }
    for target in ["/missing", "/people", "/../x", "/-/live.js"] {
      #expect(try served.ask(target)["cache-control"] == "no-store", "\(target)")
    }
  }

  /// S15: If-None-Match is answered with 304.
  @Test func `files that the client has cached are not sent again`() throws {
    let target = "/\(Served.picture)"
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
    let wire = try served.wire()
    wire.send(served.request(target, ["If-None-Match: \(tag)"]) + served.request("/a%20b.txt"))
    #expect(wire.answer()?.status == 304)
    #expect(wire.answer()?.text == "a b")
    // Other files are always sent.
    #expect(try served.ask("/", ["If-None-Match: *"]).status == 200)
  }

  /// S8: ranges are ignored, and the whole file is sent.
  @Test func `a range request receives the whole file`() throws {
    let bytes = try Array(served.folder.read("site/big.bin"))
    let wire = try served.wire()
    for range in ["0-9", "5-", "-10", "99999-100001", "0-0,2-2", "200000-"] {
      wire.send(served.request("/big.bin", ["Range: bytes=\(range)"]))
      let answer = try #require(wire.answer())
      #expect(answer.status == 200, "\(range)")
      #expect(answer.body == bytes, "\(range)")
    }
  }
}
