import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct WatchedFetchTests {
  @Test func `saving a file does not cause any fetches`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red)
    host["/down.png"] = .init(.red)
    host["/down.png"]?.status = 403
    try host.site.paint("b.png", .green)
    try host.write([
      Person("a", host.url("/a.png")), Person("b", "b.png"), Person("down", host.url("/down.png")),
    ])
    let watch = Rebuilding(host.site)
    #expect(watch.rebuild()?.counters.fetched == 1)
    #expect(host.asked() == ["/a.png": 1, "/down.png": 1])
    for color in [TestPicture.Pixel.blue, .red, .green] {
      try host.site.repaint("b.png", color)
      let report = try #require(watch.rebuild())
      #expect(report.counters.keptFresh == 1 && report.users.failed == 1)
      #expect(try host.site.pixels(of: "b").center == color.rgba)
    }
    // `/down.png` may be requested again, because the test may take longer than a minute.
    #expect(host.asked()["/a.png"] == nil)
  }

  @Test func `the next rebuild fetches a picture whose fetch was cancelled`() throws {
    let host = try PictureHost()
    let slow = try ScriptedServer { request in
      request.attempt == 1
        ? [.hold] : [.answer(body: TestPicture.png(width: 8, height: 8) { _, _ in .green })]
    }
    try host.site.write(
      [Person("a", slow.url("/a.png"))],
      more: "network: { allow: [127.0.0.1], ports: [\(slow.port)] }")
    let watch = Rebuilding(host.site)
    let first = watch.begin()
    #expect(eventually { slow.requests.count == 1 })
    watch.rebuilder.cancelForNewerBuild()
    #expect(eventually { first.now != nil })
    #expect(slow.isAbandoned())
    #expect(watch.rebuild()?.users.ok == 1)
    #expect(try host.site.pixels(of: "a").center == TestPicture.Pixel.green.rgba)
  }
}
