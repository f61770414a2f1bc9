import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct LargePageTests {
  let served: Served

  init() throws { served = try Served() }

  @Test func `who asks for a large page holds up nobody who asks for a small one`() throws {
    try served.folder.write(Data(repeating: 0x20, count: 31 << 20), to: "site/large.html")
    let large = try (0..<32).map { _ in try served.wire() }
    for wire in large { wire.send(served.request("/large.html", method: "HEAD")) }
    for _ in 0..<20 { #expect(try served.ask("/a%20b.txt").text == "a b") }
    let early = large.map { $0.answer(hasBody: false, within: .zero) }
    #expect(early.count { $0 != nil } < large.count / 2)
    // Nobody is forgotten.
    for (wire, answer) in zip(large, early) {
      let answer = answer ?? wire.answer(hasBody: false, within: .seconds(60))
      #expect(answer?.status == 200)
    }
  }

  @Test func `a large text arrives as it is, and what was asked after it comes after it`() throws {
    var random = SeededRandom(seed: 21)
    let text = String(
      decoding: (0..<(3 << 20)).map { _ in UInt8.random(in: 0x61...0x66, using: &random) },
      as: UTF8.self)
    try served.folder.write(text + "</body>", to: "site/large.html")
    try served.folder.write(text, to: "site/large.css")
    let wire = try served.wire()
    // The second round comes from memory.
    for _ in 0..<2 {
      wire.send(
        served.request("/large.html") + served.request("/large.css")
          + served.request("/large.css", ["Accept-Encoding: gzip"])
          + served.request("/large.html", method: "HEAD") + served.request("/a%20b.txt"))
      let page = try #require(wire.answer())
      #expect(page.text == served.injected(text + "</body>"))
      #expect(page["cache-control"] == "no-store")
      #expect(wire.answer()?.text == text)
      let packed = try #require(wire.answer())
      #expect(packed["content-encoding"] == "gzip")
      #expect(packed.body.count < text.utf8.count)
      #expect(wire.answer(hasBody: false)?["content-length"] == "\(page.body.count)")
      #expect(wire.answer()?.text == "a b")
    }
    try served.folder.remove("site/large.html")
    #expect(try served.ask("/large.html").status == 404)
  }
}
