import Build
import Diagnostics
import Files
import Foundation
import Plan
import Store
import TestSupport
import Testing

/// Pages of more than a megabyte, such as `assets.json` of thousands of people.
struct LargePageTests {
  private final class Pieces: Sendable { let count = Guarded(0) }

  private let folder = TemporaryFolder(inMemory: true)
  private let pieces = Pieces()

  /// 4 MiB in 64 pieces.
  private func site(_ path: String, _ byte: UInt8 = 7) -> Site {
    let page = Site.Page(path: path) { [pieces] emit in
      for _ in 0..<64 {
        pieces.count.withLock { $0 += 1 }
        try emit(Array(repeating: byte, count: 1 << 16))
      }
    }
    return Site(images: [], pages: [page])
  }

  /// How many pieces were made.
  private func publish(_ site: Site) throws -> Int {
    try folder.makeFolder("output")
    try folder.makeFolder("cache")
    let cancellation = Cancellation()
    let publisher = Publisher(
      output: try Folder(opening: folder.path(of: "output")),
      store: try BlobStore(in: Folder(opening: folder.path(of: "cache"))),
      queue: WorkQueue(name: "test", width: 2, cancellation: cancellation), tally: Tally(),
      cancellation: cancellation, adopt: false)
    pieces.count.withLock { $0 = 0 }
    try publisher.publish(site)
    return pieces.count.withLock { $0 }
  }

  private var output: [String] { folder.list().filter { $0.hasPrefix("output/") } }

  private var stamp: FileStamp? {
    get throws {
      try Folder(opening: folder.path(of: "output"))
        .stamp(of: "assets.json", followingLinks: false)
    }
  }

  /// The first megabyte shows that it is large.
  @Test func `it is made once, and again its beginning`() throws {
    #expect(try publish(site("assets.json")) == 17 + 64)
    let first = try stamp
    #expect(try publish(site("assets.json")) == 17 + 64)
    #expect(try stamp == first)
    #expect(try publish(site("assets.json", 8)) == 17 + 64)
    #expect(output == ["output/.sitegen-files", "output/assets.json"])
    #expect(try folder.read("output/assets.json") == Data(repeating: 8, count: 64 << 16))
  }

  @Test func `in a folder it is made twice, since the folder must be claimed first`() throws {
    #expect(try publish(site("data/people.js")) == 64 + 64)
    #expect(
      output == ["output/.sitegen-files", "output/data", "output/data/people.js"])
  }

  @Test func `nothing is left of one that cannot be placed`() throws {
    try folder.write("mine", to: "output/assets.json")
    #expect(throws: BuildFailure.self) { try publish(site("assets.json")) }
    #expect(output == ["output/assets.json"])
  }
}
