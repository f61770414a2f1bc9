import Files
import SiteSupport

struct LargePageTests {
  private final class Pieces: Sendable { let count = Locked(0) }

  private let folder = TemporaryFolder(inMemory: true)
  private let pieces = Pieces()

  /// Creates a site with one page of 4 MiB in 64 pieces.
  private func site(_ path: String, _ byte: UInt8 = 7) -> Site {
    let page = Site.Page(path: path) { [pieces] emit in
      for _ in 0..<64 {
        pieces.count.withLock { $0 += 1 }
        try emit(Array(repeating: byte, count: 1 << 16))
      }
    }
    return Site(images: [], pages: [page])
  }

  /// Publishes a site, and returns the number of rendered pieces.
  private func publish(_ site: Site, keeping keptBytes: Int = 1 << 26) throws -> Int {
    try folder.makeFolder("output")
    try folder.makeFolder("cache")
    let cancellation = Cancellation()
    var publisher = Publisher(
      output: try Folder(opening: folder.path(of: "output")),
      store: try BlobStore(in: Folder(opening: folder.path(of: "cache"))),
      queue: WorkQueue(name: "test", width: 2, cancellation: cancellation), tally: Tally(),
      cancellation: cancellation, adopt: false)
    publisher.keptBytes = keptBytes
    pieces.count.withLock { $0 = 0 }
    try publisher.publish(site)
    return pieces.count.withLock { $0 }
  }

  private var output: [String] { folder.list().filter { $0.hasPrefix("output/") } }

  private func stamp(_ path: String) throws -> FileStamp? {
    try Folder(opening: folder.path(of: "output")).stamp(of: path, followingLinks: false)
  }

  @Test(arguments: ["assets.json", "data/people.js"])
  func `a large page is rendered once and not rewritten if unchanged`(path: String) throws {
    #expect(try publish(site(path)) == 64)
    let first = try stamp(path)
    #expect(try publish(site(path)) == 64)
    #expect(try stamp(path) == first)
    #expect(try publish(site(path, 8)) == 64)
    #expect(try folder.read("output/\(path)") == Data(repeating: 8, count: 64 << 16))
  }

  @Test func `a page too large to buffer is rendered again when it is written`() throws {
    let large = site("assets.json")
    #expect(try publish(large, keeping: 1 << 20) == 64 + 64)
    #expect(try publish(large, keeping: 1 << 20) == 64)
    #expect(output == ["output/.sitegen-files", "output/assets.json"])
    #expect(try folder.read("output/assets.json") == Data(repeating: 7, count: 64 << 16))
  }

  @Test func `a page that cannot be published leaves no files behind`() throws {
    try folder.write("mine", to: "output/assets.json")
    #expect(throws: BuildFailure.self) { try publish(site("assets.json")) }
    #expect(output == ["output/assets.json"])
  }
}
