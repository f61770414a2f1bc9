import Files
import SiteSupport

struct PublisherFailureTests {
  private struct Refusal: Error {}

  private final class Counts: Sendable {
    private let counts = Locked<[Int: Int]>([:])

    func add(_ page: Int) -> Int {
      counts.withLock { counts in
        counts[page, default: 0] += 1
        return counts[page] ?? 0
      }
    }

    var again: [Int] { counts.withLock { $0.filter { $0.value > 1 }.keys.sorted() } }
  }

  private let folder = TemporaryFolder(inMemory: true)
  /// A page of this size is too large to be kept between the two runs.
  private static let size = 300_000
  private static let pages = 20

  private func site(_ counts: Counts, failing: Int?) -> Site {
    let pages = (0..<Self.pages).map { number in
      Site.Page(path: "page-\(number).html") { emit in
        let times = counts.add(number)
        try emit(Array(repeating: UInt8(number), count: Self.size))
        if number == failing, times > 1 { throw Refusal() }
      }
    }
    return Site(images: [], pages: pages)
  }

  private func publisher(
    _ tally: Tally, checkLocks: @escaping @Sendable () throws -> Void = {}
  ) throws -> Publisher {
    try folder.makeFolder("output")
    try folder.makeFolder("cache")
    let cancellation = Cancellation()
    var publisher = Publisher(
      output: try Folder(opening: folder.path(of: "output")),
      store: try BlobStore(in: Folder(opening: folder.path(of: "cache"))),
      queue: WorkQueue(name: "test", width: 1, cancellation: cancellation), tally: tally,
      cancellation: cancellation, adopt: false, checkLocks: checkLocks)
    publisher.keptBytes = 100_000
    return publisher
  }

  @Test func `if publishing fails, staged files are removed and not counted`() throws {
    let tally = Tally()
    let publisher = try publisher(tally)
    let counts = Counts()
    #expect(throws: Refusal.self) { try publisher.publish(site(counts, failing: 5)) }
    #expect(counts.again.contains(5))
    #expect(folder.list().filter { $0.hasPrefix("output/") } == ["output/.sitegen-files"])
    #expect(tally.current.bytesOut == 0 && tally.current.written == 0)

    try publisher.publish(site(Counts(), failing: nil))
    #expect(tally.current.bytesOut == Self.size * Self.pages)
    #expect(tally.current.written == Self.pages)
  }

  /// F28: the next build recognizes files that were published while the output was being removed.
  @Test func `a missing ledger is rewritten`() throws {
    let publisher = try publisher(Tally()) { [folder] in
      guard folder.exists("output/picture.png") else { return }
      try folder.remove("output/.sitegen-files")
      throw Refusal()
    }
    let store = try BlobStore(in: Folder(opening: folder.path(of: "cache")))
    let digest = try store.put(Data("a picture".utf8))
    let image = Site.File(path: "picture.png", size: 9, digest: digest)
    let site = Site(images: [image], pages: [Site.Page("page.html", "a page")])
    #expect(throws: Refusal.self) { try publisher.publish(site) }
    #expect(folder.exists("output/picture.png"))
    try self.publisher(Tally()).publish(site)
    #expect(folder.exists("output/page.html"))
  }

  /// F28: if another program changes a published file twice, the build fails.
  @Test func `a file that another program changes during publishing is an error`() throws {
    let tally = Tally()
    let picture = Data("a picture".utf8)
    let left = Locked(2)
    // The locks are also checked between images and pages.
    let publisher = try publisher(tally) { [folder] in
      guard (try? folder.read("output/picture.png")) == picture,
        left.withLock({ left in
          left -= 1
          return left >= 0
        })
      else { return }
      try folder.write("SCRIBBLES", to: "output/picture.png")
    }
    let digest = try BlobStore(in: Folder(opening: folder.path(of: "cache"))).put(picture)
    let image = Site.File(path: "picture.png", size: Int64(picture.count), digest: digest)
    let page = Site.Page("page.html", "a page")
    let site = Site(images: [image], pages: [page])
    let failure = #expect(throws: BuildFailure.self) { try publisher.publish(site) }
    guard case .machine(let diagnostic)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(diagnostic.id == "output-unsteady" && diagnostic.message.contains("picture.png"))
    try publisher.publish(site)
    #expect(try folder.read("output/picture.png") == picture)
  }
}
