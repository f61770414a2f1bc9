import Files
import SiteSupport
import Synchronization

struct WorkQueueTests {
  private func queue(_ width: Int, _ cancellation: Cancellation = Cancellation()) -> WorkQueue {
    WorkQueue(name: "test", width: width, cancellation: cancellation)
  }

  @Test(arguments: [1, 3, 8])
  func `results arrive in item order`(width: Int) throws {
    let queue = queue(width)
    var received: [Int] = []
    queue.map(
      0..<5000, work: { $0 * 2 },
      receive: { item, result in
        #expect((try? result.get()) == item * 2)
        received.append(item)
      })
    #expect(received == Array(0..<5000))
    #expect((1...width).contains(queue.peakConcurrency))
  }

  @Test func `an error affects only its own item`() {
    var failures: [Int] = []
    queue(2).map(
      0..<100, work: { if $0 % 10 == 3 { throw CocoaError(.coderInvalidValue) } },
      receive: { if case .failure = $1 { failures.append($0) } })
    #expect(failures == Array(stride(from: 3, to: 100, by: 10)))
  }

  @Test func `items are taken from the sequence only as slots become free`() {
    let taken = Locked(0)
    let items = (0..<1000).lazy.map { item in
      taken.withLock { $0 += 1 }
      return item
    }
    queue(2).map(
      items, work: { $0 },
      receive: { item, _ in #expect(taken.withLock { $0 } <= item + 2 * 16 + 1) })
    #expect(taken.withLock { $0 } == 1000)
  }

  @Test func `no item starts after cancellation`() {
    let cancellation = Cancellation()
    var ended = 0
    let done = Locked(0)
    queue(1, cancellation).map(
      0..<1000,
      work: { item in
        done.withLock { $0 += 1 }
        if item == 9 { cancellation.cancel(signal: 2) }
      },
      receive: { item, result in
        ended += 1
        if item > 9 {
          #expect(throws: CancellationError.self) { try result.get() }
        }
      })
    #expect(ended == 1000)
    #expect(done.withLock { $0 } == 10)
    #expect(cancellation.signalNumber == 2)
  }

  /// If an object were kept longer, a captured lock would outlive the build.
  @Test func `objects captured by the work closure are released when map returns`() {
    final class Held: Sendable {}
    let queue = queue(4)
    for _ in 0..<500 {
      weak var trace: Held?
      do {
        let held = Held()
        trace = held
        queue.map(0..<8, work: { _ in withExtendedLifetime(held) {} }, receive: { _, _ in })
      }
      #expect(trace == nil)
    }
  }

  /// C3: 1,000 items are cancelled at random moments, and each one ends exactly once.
  @Test(arguments: 0..<8) func `every item is reported exactly once`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let moment = Int(random.next() % 1000)
    let cancellation = Cancellation()
    let started = Locked<[Int: Int]>([:])
    var ends: [Int: Int] = [:]
    var cancelled = 0
    WorkQueue(name: "test", width: 4, cancellation: cancellation).map(
      0..<1000,
      work: { item in
        started.withLock { $0[item, default: 0] += 1 }
        if item == moment { cancellation.cancel(signal: 15) }
      },
      receive: { item, result in
        ends[item, default: 0] += 1
        if case .failure = result { cancelled += 1 }
      })
    #expect(ends.count == 1000 && ends.values.allSatisfy { $0 == 1 })
    let begun = started.withLock { $0 }
    #expect(begun.values.allSatisfy { $0 == 1 })
    #expect(begun.count + cancelled == 1000)
  }

  /// C14: with two jobs, twenty short items end while a long one runs.
  @Test func `a slow item does not delay the others`() throws {
    let ended = Locked<[Int]>([])
    let queue = WorkQueue(name: "test", width: 2, cancellation: Cancellation())
    queue.map(
      0..<21,
      work: { item in
        if item == 0 {
          #expect(eventually { ended.withLock { $0.count == 20 } })
        }
        ended.withLock { $0.append(item) }
      }, receive: { _, _ in })
    #expect(ended.withLock { $0.last } == 0)
  }
}
