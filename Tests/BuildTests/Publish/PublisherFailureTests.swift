import Build
import Files
import Foundation
import Plan
import Store
import Synchronization
import TestSupport
import Testing

/// Pages that cannot be written when they are written at last.
struct PublisherFailureTests {
  private struct Refusal: Error {}

  /// How often each page was made, by number.
  private final class Counts: Sendable {
    private let counts = Mutex<[Int: Int]>([:])

    func add(_ page: Int) -> Int {
      counts.withLock { counts in
        counts[page, default: 0] += 1
        return counts[page] ?? 0
      }
    }

    /// Of the pages that were made more than once.
    var again: [Int] { counts.withLock { $0.filter { $0.value > 1 }.keys.sorted() } }
  }

  private let folder = TemporaryFolder(inMemory: true)
  /// Too large to be kept between the two runs.
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

  private func publisher(_ tally: Tally) throws -> Publisher {
    try folder.makeFolder("output")
    try folder.makeFolder("cache")
    let cancellation = Cancellation()
    return Publisher(
      output: try Folder(opening: folder.path(of: "output")),
      store: try BlobStore(in: Folder(opening: folder.path(of: "cache"))),
      queue: WorkQueue(name: "test", width: 1, cancellation: cancellation), tally: tally,
      cancellation: cancellation, adopt: false)
  }

  @Test func `the first failure ends it, and nothing that was staged is left or counted`() throws {
    let tally = Tally()
    let publisher = try publisher(tally)
    let counts = Counts()
    #expect(throws: Refusal.self) { try publisher.publish(site(counts, failing: 5)) }
    #expect(counts.again == Array(0...5))
    #expect(folder.list().filter { $0.hasPrefix("output/") } == ["output/.sitegen-files"])
    #expect(tally.current.bytesOut == 0 && tally.current.written == 0)

    try publisher.publish(site(Counts(), failing: nil))
    #expect(tally.current.bytesOut == Self.size * Self.pages)
    #expect(tally.current.written == Self.pages)
  }
}
