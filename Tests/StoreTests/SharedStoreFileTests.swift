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

  @Test func `a header larger than 1 MiB is rejected`() throws {
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

  @Test func `pruning keeps recent files and other programs' files`() throws {
    let folder = TemporaryFolder()
    let own = ["old", "new"].map { "images/" + BlobStore.name(of: Digest(of: $0)) }
    let other = "images/00/notes.txt"
    for path in own + [other] { try folder.write("text", to: path) }
    for path in [own[0], other] { try folder.setModified(path, to: 1_000) }
    let pruned = try SharedStore.prune(folder.path, unusedSince: 1_000, dryRun: false) {}
    var expected = SharedStore.Pruned()
    (expected.removed, expected.removedBytes) = (1, 4)
    (expected.kept, expected.keptBytes) = (1, 4)
    #expect(pruned == expected)
    let left = Set(folder.list())
    #expect(left.isSuperset(of: [own[1], other]) && !left.contains(own[0]))
  }
}
