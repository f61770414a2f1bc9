import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct FileServingTests {
  let served: Served

  init() throws { served = try Served() }

  @Test func `a folder URL returns the folder's index page`() throws {
    for target in ["/", "/index.html", "/people/ada/", "/people/ada/index.html"] {
      let answer = try served.ask(target)
      #expect(answer.status == 200)
      #expect(answer.text == served.injected())
    }
  }

  @Test func `a folder URL without a trailing slash redirects within the site`() throws {
    try served.folder.write("x", to: "site/a b:c?ü/index.html")
    for (target, place) in [
      ("/people/ada?a=//evil.example", "/people/ada/"),
      ("/a%20b:c%3f%C3%BC", "/a%20b:c%3f%C3%BC/"),
    ] {
      let answer = try served.ask(target)
      #expect(answer.status == 308)
      #expect(answer["location"] == place)
      #expect(answer.body.isEmpty)
    }
    #expect(try served.ask("/a%20b%3Ac%3F%C3%BC/").text.hasPrefix("x<script"))
  }

  @Test func `paths are decoded once, and queries are ignored`() throws {
    for (target, text) in [
      ("/a%20b.txt", "a b"), ("/%61%20b.txt", "a b"), ("/zo%C3%AB.txt", "Zoë"),
      ("/zo%c3%ab.txt", "Zoë"), ("/zoë.txt", "Zoë"), ("/a%20b.txt?../x=%00", "a b"),
      ("/a%20b.txt?", "a b"),
    ] {
      #expect(try served.ask(target).text == text, "\(target)")
    }
  }

  /// S2: symlinks are not followed, whatever their target.
  @Test func `symlinks are not served`() throws {
    for target in ["/inside.txt", "/out.txt", "/out/secret.txt", "/away.txt", "/loop.txt"] {
      #expect(try served.ask(target).status == 404, "\(target)")
    }
  }

  /// A site with `pages: false` is complete without an index page.
  @Test func `a site without pages does not show the waiting page`() throws {
    let served = try Served(fills: false, names: { path, _ in path == "assets.json" })
    try served.folder.write("{}", to: "site/assets.json")
    #expect(try served.ask("/").status == 404)
    #expect(try served.ask("/assets.json").text == "{}")
  }

  /// S3: a file that is not part of the site is not served.
  @Test func `only the site's files are served`() throws {
    let served = try Served(names: { path, _ in path == "index.html" })
    #expect(try served.ask("/").status == 200)
    for target in ["/a%20b.txt", "/people/ada/", "/people/ada", "/style.css", "/.hidden"] {
      #expect(try served.ask(target).status == 404, "\(target)")
    }
  }

  /// F15: before the first build, a waiting page is shown.
  @Test func `a missing site shows the waiting page`() throws {
    let served = try Served(fills: false)
    let waiting = try served.ask("/")
    #expect(waiting.status == 503)
    #expect(
      waiting.text.contains("<script src=\"/-/live.js\" data-revision=\"0\"></script></body>"))
    try served.folder.write(Served.page, to: "site/index.html")
    #expect(try served.ask("/").text == served.injected())
    try served.folder.remove("site")
    #expect(try served.ask("/").status == 503)
  }

  /// S11: the page does not repeat the path.
  @Test func `a request for a missing file returns a page that waits for it`() throws {
    let answer = try served.ask("/missing/page.html")
    #expect(answer.status == 404)
    #expect(answer["content-type"] == "text/html; charset=utf-8")
    #expect(answer.text.contains("<script src=\"/-/live.js\" data-revision=\"0\"></script></body>"))
    #expect(!answer.text.contains("missing/page"))
  }

  @Test func `the script is inserted before the last closing body tag, or appended`() throws {
    let script = "<script src=\"/-/live.js\" data-revision=\"2\"></script>"
    served.live.send(.mended)
    served.live.send(.mended)
    for (page, sent) in [
      ("<body></body></html>", "<body>\(script)</body></html>"),
      ("a</body>b</body>c", "a</body>b\(script)</body>c"),
      ("no end", "no end\(script)"), ("", script), ("</body", "</body\(script)"),
      ("</body>", "\(script)</body>"), ("ü</body>", "ü\(script)</body>"),
    ] {
      try served.folder.write(page, to: "site/p.html")
      #expect(try served.ask("/p.html").text == sent)
      #expect(try served.folder.text(of: "site/p.html") == page)
    }
    #expect(try served.ask("/-/live.js").status == 200)
    #expect(try served.ask("/-/live.js")["content-type"] == "text/javascript; charset=utf-8")
  }

  /// S5: every response has headers that keep other sites out.
  @Test func `every response has a strict content security policy`() throws {
    let policy =
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
    try served.folder.write("<svg/>", to: "site/a.svg")
    try served.folder.write("<a/>", to: "site/a.xml")
    for target in [
      "/", "/missing", "/style.css", "/big.bin", "/people/ada", "/../x", "/-/live.js",
      "/a.xml", "/a.svg",
    ] {
      let answer = try served.ask(target)
      // An SVG may have inline styles.
      let styles = target == "/a.svg" ? "; style-src 'self' 'unsafe-inline'" : ""
      #expect(answer["content-security-policy"] == policy + styles, "\(target)")
      #expect(answer["x-content-type-options"] == "nosniff", "\(target)")
      #expect(answer["referrer-policy"] == "no-referrer", "\(target)")
      #expect(answer["cross-origin-resource-policy"] == "same-origin", "\(target)")
    }
  }

  /// S11: the type depends on the extension, never on the bytes.
  @Test func `the media type depends on the file extension`() throws {
    let text = "; charset=utf-8"
    for (ending, type) in [
      ("html", "text/html" + text), ("HTML", "text/html" + text), ("css", "text/css" + text),
      ("js", "text/javascript" + text),
      ("json", "application/json" + text), ("svg", "image/svg+xml" + text),
      ("webmanifest", "application/manifest+json" + text), ("txt", "text/plain" + text),
      ("xml", "application/xml" + text), ("vcf", "text/vcard" + text), ("png", "image/png"),
      ("webp", "image/webp"), ("avif", "image/avif"), ("jpg", "image/jpeg"),
      ("jpeg", "image/jpeg"), ("gif", "image/gif"), ("ico", "image/x-icon"),
      ("zip", "application/zip"), ("exe", "application/octet-stream"),
      ("html.bak", "application/octet-stream"),
    ] {
      try served.folder.write("x", to: "site/a.\(ending)")
      #expect(try served.ask("/a.\(ending)")["content-type"] == type, "\(ending)")
    }
    try served.folder.write("x", to: "site/html")
    #expect(try served.ask("/html")["content-type"] == "application/octet-stream")
  }

  /// S15: HEAD is answered without a body.
  @Test func `HEAD returns the same headers as GET, without a body`() throws {
    for target in ["/", "/big.bin", "/missing", "/people", "/-/live.js", "/empty.bin"] {
      var get = try served.ask(target).headers
      var head = try served.ask(target, method: "HEAD").headers
      get["date"] = nil
      head["date"] = nil
      #expect(get == head, "\(target)")
    }
    let wire = try served.wire()
    wire.send(served.request("/big.bin", method: "HEAD") + served.request("/a%20b.txt"))
    #expect(wire.answer(hasBody: false)?["content-length"] == "100000")
    #expect(wire.answer()?.text == "a b")
  }

  @Test func `other methods are rejected, and the response lists the allowed ones`() throws {
    let answer = try served.ask("/", method: "POST")
    #expect(answer.status == 405)
    #expect(answer["allow"] == "GET, HEAD")
  }

  @Test func `files of any size arrive unchanged on a single connection`() throws {
    var random = SeededRandom(seed: 11)
    let wire = try served.wire()
    for size in [0, 1, 2, 1023, 1024, 4095, 4096, 65_536, 1_000_003] {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      for ending in ["bin", "css"] {
        try served.folder.write(bytes, to: "site/any.\(ending)")
        wire.send(served.request("/any.\(ending)"))
        #expect(wire.answer()?.body == bytes, "\(size) bytes of \(ending)")
      }
    }
  }

  @Test func `many parallel clients receive the correct files`() async throws {
    let port = served.port
    let host = served.host
    let big = try Array(served.folder.read("site/big.bin"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let wire = try #require(Wire(to: port))
          for _ in 0..<100 {
            wire.send("GET /big.bin HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(wire.answer()?.body == big)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
