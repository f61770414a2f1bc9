import Files
import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct RemoteBuildTests {
  /// F2: a wrong status, silence and an early close are three distinct errors.
  @Test func `each kind of fetch failure is reported within the time limit`() throws {
    let site = try TestSite()
    let server = try ScriptedServer([
      "/wrong.png": [.answer(403)],
      "/never.png": [.hold],
      "/early.png": [.head("HTTP/1.1 200 OK\nContent-Length: 1000"), .send("abc"), .close],
      "/good.png": [.answer(body: TestPicture.png(width: 8, height: 8) { _, _ in .green })],
    ])
    try site.write(
      [
        Person("wrong", server.url("/wrong.png")), Person("never", server.url("/never.png")),
        Person("early", server.url("/early.png")), Person("good", server.url("/good.png")),
      ], more: "network: { allow: [127.0.0.1], ports: [\(server.port)] }")
    let start = ContinuousClock.now
    let result = try site.build { $0.fetching.timeout = 3 }
    #expect(ContinuousClock.now - start < .seconds(90))
    #expect(
      result.reasons
        == ["wrong": "http-refused", "never": "fetch-timeout", "early": "connection-cut"])
    #expect(result.exitStatus == 1)
    #expect(try site.pixels(of: "good").center == TestPicture.Pixel.green.rgba)
    #expect(try site.assets().users["good"]?.source == "http")
  }

  /// N17: the kernel is checked before any request, even if no worker starts.
  @Test(.needs(LesserKernel.need))
  func `nothing is fetched if a required sandbox is unavailable`() throws {
    let host = try PictureHost()
    host["/kept.png"] = .init(.red)
    let folder = TemporaryFolder()
    let program = try folder.program(
      """
      #!/bin/sh
      [ -e \(folder.path(of: "whole")) ] || set -- /usr/bin/strace -f -qq -o /dev/null \
        -e trace=landlock_create_ruleset -e inject=landlock_create_ruleset:error=ENOSYS \
        \(BuiltProduct.worker) "$@"
      [ "$1" = /usr/bin/strace ] || set -- \(BuiltProduct.worker) "$@"
      exec "$@"

      """)
    try folder.setModified("program", to: TestSite.longAgo)
    func require(_ options: inout BuildOptions) {
      (options.programs.worker, options.requiresSandbox) = (program, true)
    }
    try folder.write("", to: "whole")
    try host.write([Person("a", host.url("/kept.png"))])
    #expect(try host.site.build(require).exitStatus == 0)
    #expect(host.asked() == ["/kept.png": 1])

    try folder.remove("whole")
    try host.write([Person("a", host.url("/new.png"), host.url("/kept.png"))])
    guard case .machine(let diagnostic) = try host.site.failure(require) else {
      Issue.record("expected a machine failure")
      return
    }
    #expect(diagnostic.id == "sandbox-incomplete")
    #expect(host.asked() == [:])
  }

  /// N17: the kernel is also checked before the fetcher starts, for pictures and lists.
  @Test(.needs(LesserKernel.need), arguments: [false, true])
  func `a fetcher whose sandbox is too weak sends no requests`(isList: Bool) throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, cacheControl: "max-age=600")
    let folder = TemporaryFolder()
    if isList {
      try host.site.write([], more: "\(host.network)\nusers: { from: \"\(host.url("/a.csv"))\" }")
    } else {
      try host.write([Person("a", "libravatar:a@nowhere.invalid", host.url("/a.png"))])
    }
    for (number, (missing, sandbox)) in LesserKernel.cases.enumerated() {
      let program = try folder.program(
        LesserKernel.script(BuiltProduct.worker, without: missing, role: "network"),
        at: "program-\(number)")
      let failure = try host.site.failure { options in
        (options.programs.worker, options.requiresSandbox) = (program, true)
      }
      guard case .machine(let diagnostic) = failure else {
        Issue.record("expected a machine failure, not \(failure)")
        return
      }
      #expect(diagnostic.id == "sandbox-incomplete")
      #expect(diagnostic.note == "they lack \(sandbox.missing)")
      #expect(host.server.connections == 0)
    }
    if isList { return }
    try host.write([Person("a", host.url("/a.png"))])
    #expect(try host.site.build { $0.requiresSandbox = true }.exitStatus == 0)
    #expect(host.asked() == ["/a.png": 1])
    // A build without a request starts no fetcher, so the fetcher's sandbox does not matter.
    let program = try folder.program(
      "#!/bin/sh\n[ \"$2\" = network ] || exec \(BuiltProduct.worker) \"$@\"\nexit 1\n",
      at: "offline")
    #expect(
      try host.site.build { options in
        (options.programs.worker, options.requiresSandbox) = (program, true)
      }.exitStatus == 0)
  }

  /// N8: compressed bodies are never decompressed, so they cannot exceed a limit.
  @Test(arguments: [true, false])
  func `a decompression bomb is rejected`(isDeclared: Bool) throws {
    let bomb = try Self.bomb.get()
    let host = try PictureHost()
    let site = host.site
    let encoding: KeyValuePairs = isDeclared ? ["Content-Encoding": "gzip"] : [:]
    let server = try ScriptedServer { _ in [.answer(200, encoding, body: bomb)] }
    let network = "network: { allow: [127.0.0.1], ports: [\(server.port)] }"
    try site.write([Person("a", server.url("/a.png"), "initials")], more: network)
    let result = try site.build()
    #expect(result.reasons == ["a": isDeclared ? "encoded-body" : "unsupported-format"])
    let list = try TestSite()
    try list.folder.write(
      "version: 1\n\(network)\nusers: { from: \"\(server.url("/team.csv"))\" }\n",
      to: "content/manifest.yaml")
    guard case .usage(let diagnostics) = try list.failure() else {
      Issue.record("expected a usage error")
      return
    }
    #expect(diagnostics.hasErrors)
    // The cache contains only the bytes that were received.
    for folder in [site.folder, list.folder] {
      let kept = folder.list().filter { $0.hasPrefix(".sitegen/originals/") && $0.count > 40 }
      #expect(kept == [], "\(kept)")
    }
    #expect(result.report.counters.fetchedBytes <= bomb.count)
  }

  /// A gigabyte of zeros, compressed twice to a few kilobytes.
  private static let bomb: Result<Data, any Error> = Result {
    let folder = TemporaryFolder()
    // A gzip file may have several members. This one has 1,024 members of a mebibyte each.
    let script =
      "head -c 1048576 /dev/zero | gzip -9n >zeros"
      + " && yes zeros | head -n 1024 | xargs cat | gzip -9 >bomb"
    _ = try RunningProgram(["sh", "-c", script], in: folder.path).ending()
    let bytes = try folder.read("bomb")
    #expect((1..<100_000).contains(bytes.count))
    return bytes
  }

  /// F17: in a chain of sources, offline, cached and failing requests all finish.
  @Test func `if a URL fails, the next source is used`() throws {
    let host = try PictureHost()
    host["/kept.png"] = .init(.red)
    try host.write([
      Person("a", host.url("/gone.png"), host.url("/kept.png")),
      Person("b", host.url("/gone.png"), "initials"),
      Person("c", host.url("/kept.png")),
    ])
    #expect(try host.build().reasons == ["a": "not-found", "b": "not-found"])
    #expect(try host.site.assets().users["a"]?.sourceIndex == 1)
    #expect(try host.site.assets().users["b"]?.sourceIndex == 1)
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.red.rgba)
    #expect(host.asked() == ["/gone.png": 1, "/kept.png": 1])

    let files = try host.site.snapshot()
    let offline = try host.build { $0.offline = true }
    // The cached failure is reported, because it is more specific than "offline".
    #expect(offline.reasons["a"] == "not-found")
    #expect(host.asked() == [:])
    #expect(try host.site.snapshot() == files)
  }

  /// G20: removing rendered images keeps the originals.
  @Test func `missing images are re-rendered from the cached originals`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, cacheControl: "max-age=600")
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    let files = try host.site.snapshot()
    try host.site.folder.remove("cache/store")
    try host.site.folder.remove("output")
    #expect(try host.build().report.counters.renders == 1)
    #expect(host.asked() == ["/a.png": 1])
    #expect(try host.site.snapshot() == files)

    // Rendered images do not need the originals.
    try host.site.folder.remove("cache/originals")
    try host.site.folder.remove("output")
    #expect(try host.build().report.counters.renders == 0)
    #expect(host.asked() == [:])
    #expect(try host.site.snapshot() == files)

    // If both are missing, the picture is fetched again, not only revalidated.
    for name in ["cache/store", "cache/originals", "output"] { try? host.site.folder.remove(name) }
    #expect(try host.build().report.counters.failed == 0)
    #expect(host.server.requests.last?["If-None-Match"] == nil)
    #expect(try host.site.snapshot() == files)
  }

  /// G24: new bytes at a URL produce a new file name, and the old file is removed.
  @Test func `a changed picture is fetched again`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    try host.write([Person("a", host.url("/a.png"))])
    try host.build()
    let old = try host.site.image(of: "a").path
    host["/a.png"] = .init(.blue)
    try host.build()
    let new = try host.site.image(of: "a").path
    #expect(new != old)
    #expect(host.site.assetFiles() == [new])
    #expect(try host.site.text("index.html").contains(new))
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.blue.rgba)
  }

  /// G26: a URL is fetched once per build, and the same bytes from two URLs are one source.
  @Test func `each URL is fetched once, and identical files are treated as one source`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    host["/b.png"] = .init(.red)
    try host.write(
      (0..<20).map { Person("u\($0)", host.url("/a.png")) } + [Person("v", host.url("/b.png"))])
    let result = try host.build()
    #expect(host.asked() == ["/a.png": 1, "/b.png": 1])
    #expect(result.report.counters.decodes == 1)
    #expect(result.report.counters.renders == 1)
    #expect(result.report.counters.fetched == 2)
    #expect(host.site.assetFiles().count == 1)
  }

  @Test func `after a 304, nothing is downloaded or rendered`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    host["/b.png"] = .init(.blue, cacheControl: "max-age=600")
    try host.write([Person("a", host.url("/a.png")), Person("b", host.url("/b.png"))])
    try host.build()
    let files = try host.site.snapshot()
    _ = host.asked()
    let second = try host.build()
    let counters = second.report.counters
    #expect(counters.renders == 0 && counters.written == 0)
    #expect(counters.notModified == 1 && counters.keptFresh == 1 && counters.fetchedBytes == 0)
    #expect(host.asked() == ["/a.png": 1])
    #expect(try host.site.snapshot() == files)

    // While everything is fresh, stamps alone prove that the site is up to date.
    host["/a.png"] = .init(.red, cacheControl: "max-age=300")
    try host.build()
    try host.site.age("output")
    try host.build()
    _ = host.asked()
    #expect(try host.build().report.upToDate)
    #expect(host.asked() == [:])
    #expect(try !host.build(at: 400).report.upToDate)
    #expect(host.asked() == ["/a.png": 1])
    #expect(try !host.build(at: 1000).report.upToDate)
    #expect(host.asked() == ["/a.png": 1, "/b.png": 1])
  }

  @Test func `the number of jobs does not affect the output`() throws {
    let host = try PictureHost()
    for number in 0..<30 { host["/\(number).png"] = .init(.init(UInt8(number * 8), 40, 200)) }
    let people = (0..<30).map { Person("u\($0)", host.url("/\($0).png")) }
    try host.write(people + [Person("gone", host.url("/gone.png"), "initials")])
    try host.site.build(jobs: 1)
    let files = try host.site.snapshot()
    try host.site.clean()
    try host.site.build(jobs: 4)
    #expect(try host.site.snapshot() == files)
  }

  /// M22: the type of a `data:` URL depends on its bytes.
  @Test func `a picture can be a data URL in the manifest`() throws {
    let site = try TestSite()
    let bytes = TestPicture.png(width: 8, height: 8) { _, _ in .green }
    let data = "data:image/png;base64,\(bytes.base64EncodedString())"
    try site.write([
      Person("a", data), Person("b", "data:image/png;base64,%%%"),
      Person("c", "data:text/html,<script>"),
    ])
    let result = try site.build()
    #expect(try site.pixels(of: "a").center == TestPicture.Pixel.green.rgba)
    #expect(try site.assets().users["a"]?.source == "data")
    #expect(result.reasons == ["b": "bad-data-address", "c": "unsupported-format"])
  }

  /// M22: a `data:` URL needs no network, so a failure is reported even offline.
  @Test func `an unreadable photo in a contact card is reported`() throws {
    let site = try TestSite()
    try site.folder.write(
      "version: 1\navatars: [{ \(TestSite.small) }]\nusers: { from: t.vcf }\nfallback: [initials]\n",
      to: site.manifest)
    let card = ["BEGIN:VCARD", "FN:Ada Sample", "PHOTO;ENCODING=b:%%%", "END:VCARD", ""]
    try site.put(Array(card.joined(separator: "\r\n").utf8), at: "t.vcf")
    for isOffline in [true, false] {
      let result = try site.build { $0.fetching.offline = isOffline }
      let problems = result.diagnostics.sorted.filter { $0.id == "bad-data-address" }
      #expect(problems.map(\.severity) == [.warning])
      #expect(problems.first?.location?.description.hasSuffix("t.vcf:3:1") == true)
      #expect(result.report.pictures.own == 0)
    }
  }
}
