import SiteSupport

struct SupersessionTests {
  private static let old =
    "name: small, size: 16, scales: [1], shape: square, formats: [png]"
    + ", border: { width: 2, color: \"#ff0000\" }"
  private static let new = old.replacing("#ff0000", with: "#0000ff")

  private func filled(_ style: String) throws -> TestSite {
    let site = try TestSite()
    try site.paint("green.png", .green)
    try site.write([Person("a", "green.png")], styles: [style])
    return site
  }

  /// C7: a job is held at each step while a newer build finishes, and never overwrites its file.
  ///
  /// A21: only the colour has changed, so the whole recipe must be compared.
  /// F12: a newer result wins at every step.
  /// C4: the held worker never reaches its next step.
  @Test(arguments: ["before-decode", "after-decode", "after-draw", "after-encode"])
  func `an outdated job never overwrites a newer result`(point: String) throws {
    let site = try filled(Self.old)
    let gate = ProgramGate(point)
    let watch = Rebuilding(site, gate: gate)
    let running = watch.begin()
    let worker = try gate.reached()
    try site.write([Person("a", "green.png")], styles: [Self.new])
    watch.rebuilder.cancelForNewerBuild()
    #expect(running.ended()?.isSuperseded == true)
    #expect(eventually { !isAlive(worker) })
    #expect(!site.folder.exists("output/index.html"))

    try gate.open()
    let report = try #require(watch.rebuild())
    #expect(report.counters.superseded == 1 && report.counters.renders == 1)
    let pixels = try site.pixels(of: "a")
    #expect(pixels[8, 0] == [0, 0, 255, 255])
    #expect(pixels.center == TestPicture.Pixel.green.rgba)
    #expect(try site.files() == site.coldSnapshot())
    #expect(site.folder.list().allSatisfy { !$0.contains(".sitegen-tmp-") })
  }

  /// A22: if the manifest changes while a job is held, the result matches the old manifest.
  ///
  /// C1: jobs capture everything that they need when they are created.
  /// E10: jobs read nothing later that may have changed by then.
  @Test func `a waiting job does not see later changes`() throws {
    let site = try filled(Self.old)
    let gate = ProgramGate("before-decode")
    let watch = Rebuilding(site, gate: gate)
    let running = watch.begin()
    try gate.reached()
    try site.write(
      [Person("a", "green.png", background: "red")],
      styles: [Self.new.replacing("size: 16", with: "size: 20")])
    try gate.open()
    #expect(running.ended()?.report?.counters.renders == 1)
    let pixels = try site.pixels(of: "a")
    #expect(pixels.width == 16 && pixels[8, 0] == [255, 0, 0, 255])

    #expect(watch.rebuild() != nil)
    #expect(try site.pixels(of: "a")[10, 0] == [0, 0, 255, 255])
    #expect(try site.files() == site.coldSnapshot())
  }

  /// C6: a cancelled build keeps newer files, and the next build renders what was cancelled.
  @Test(arguments: ["newer", "signal", "removed"])
  func `a cancelled build keeps newer files and leaves no temporary files`(cause: String) throws {
    let site = try filled(Self.old)
    try site.paint("blue.png", .blue)
    let gate = ProgramGate("after-decode")
    let watch = Rebuilding(site, gate: gate)
    let people = [Person("a", "green.png"), Person("b", "blue.png")]
    try site.write(people, styles: [Self.old])
    let running = watch.begin()
    try gate.reached()
    switch cause {
    case "signal":
      watch.stop.cancel(signal: 2)
      guard case .cancelled(signal: 2)? = running.ended()?.failure else {
        Issue.record("expected the build to be cancelled")
        return
      }
    case "removed":
      try site.write([people[1]], styles: [Self.old])
      fallthrough
    default:
      watch.rebuilder.cancelForNewerBuild()
      #expect(running.ended()?.isSuperseded == true)
    }
    #expect(site.folder.list().allSatisfy { !$0.contains(".sitegen-tmp-") })
    #expect(site.assetFiles().isEmpty)
    try gate.open()
    let next = cause == "signal" ? Rebuilding(site) : watch
    let report = try #require(next.rebuild())
    #expect(report.counters.renders == (cause == "removed" ? 1 : 2))
    #expect(try site.files() == site.coldSnapshot())
  }

  /// C8: at every moment of a hundred rebuilds, each referenced file exists and is complete.
  @Test func `a reader never sees an incomplete site`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.paint("b.png", .blue)
    try site.write([Person("a", "a.png"), Person("b", "b.png")])
    let watch = Rebuilding(site)
    watch.rebuild()
    let reader = Reader(site.folder)
    reader.start()
    for round in 0..<100 {
      try site.repaint(
        round % 2 == 0 ? "a.png" : "b.png", .init(UInt8(round * 2), UInt8(255 - round), 9))
      watch.rebuild()
    }
    let (rounds, broken) = reader.stop()
    #expect(broken == [])
    #expect(rounds > 3)
  }

  @Test func `a long-running build can still be cancelled`() throws {
    let site = try filled(Self.old)
    let gate = ProgramGate("before-decode")
    let watch = Rebuilding(site, gate: gate)
    let running = watch.begin()
    try gate.reached()
    // The rebuild has now run longer than the cancellation limit.
    watch.wait(.seconds(10))
    watch.rebuilder.cancelForNewerBuild()
    #expect(running.ended()?.isSuperseded == true)
  }

  /// A rebuild eventually completes, so endless changes cannot prevent publishing.
  @Test func `after repeated cancellations, a rebuild can no longer be cancelled`() throws {
    let site = try filled(Self.old)
    let gate = ProgramGate("before-decode")
    let watch = Rebuilding(site, gate: gate)
    for superseded in 0..<3 {
      let running = watch.begin()
      #expect(eventually { gate.passers.count == superseded + 1 })
      watch.rebuilder.cancelForNewerBuild()
      #expect(running.ended()?.isSuperseded == true)
      watch.wait(.seconds(1))
    }
    let running = watch.begin()
    #expect(eventually { gate.passers.count == 4 })
    watch.rebuilder.cancelForNewerBuild()
    try gate.open()
    #expect(running.ended()?.report != nil)
    #expect(site.folder.exists("output/index.html"))
  }
}

/// Repeatedly reads the first page and everything that it references.
private final class Reader: @unchecked Sendable {
  // Sendable, because only its thread writes, and `stop` reads after that thread has ended.
  private let folder: TemporaryFolder
  private let done = DispatchSemaphore(value: 0)
  private let stopping = Cancellation()
  private var rounds = 0
  private var broken: [String] = []

  init(_ folder: TemporaryFolder) { self.folder = folder }

  func start() {
    Thread.detachNewThread { [self] in
      while !stopping.isCancelled { read() }
      done.signal()
    }
  }

  func stop() -> (rounds: Int, broken: [String]) {
    stopping.cancel(signal: 1)
    done.wait()
    return (rounds, broken)
  }

  private func read() {
    rounds += 1
    guard let page = try? folder.text(of: "output/index.html"), page.hasSuffix("</html>\n") else {
      broken.append("index.html")
      return
    }
    for link in HTMLPage(page).links(on: "index.html") {
      guard let path = link.path, path.hasPrefix("assets/") else { continue }
      let bytes = try? folder.read("output/\(path)")
      // A picture is removed only after the page that referenced it.
      if bytes == nil, (try? folder.text(of: "output/index.html")) != page { return }
      guard let bytes, (try? Pixels(png: bytes)) != nil else {
        broken.append(path)
        continue
      }
    }
  }
}
