import Bytes
import TestSupport

@testable import Store

struct SharedStoreFileTests {
  private struct Header: StoreHeader {
    static let folder = "images"
    var key = Digest(of: "a").hex
    var text = ""
    var parts: [(bytes: Int, sha256: String)] { [] }
  }

  @Test func `a header above one MiB is rejected`() throws {
    let empty = try #require(SharedStore.bytes(Header(), []))
    let line = try #require(empty.split(separator: UInt8(ascii: "\n")).last)
    let rest = (1 << 20) - line.count
    for (length, isAccepted) in [(rest, true), (rest + 1, false)] {
      let header = Header(text: String(repeating: "a", count: length))
      let file = try #require(SharedStore.bytes(header, []))
      let found = SharedStore.parse(file, Digest(of: "a"), Header.self)
      #expect((found != nil) == isAccepted)
    }
  }
}
