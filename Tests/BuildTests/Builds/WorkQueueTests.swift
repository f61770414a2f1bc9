import Foundation
import SiteSupport
import Sitegen
import Synchronization
import Testing

struct WorkQueueTests {
  private func queue(_ width: Int, _ cancellation: Cancellation = Cancellation()) -> WorkQueue {
    WorkQueue(name: "test", width: width, cancellation: cancellation)
  }

  @Test(arguments: [1, 3, 8])
  func `results come in the order of the items`(width: Int) throws {
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

  @Test func `an error belongs to its item alone`() {
    var failures: [Int] = []
    queue(2).map(
      0..<100, work: { if $0 % 10 == 3 { throw CocoaError(.coderInvalidValue) } },
      receive: { if case .failure = $1 { failures.append($0) } })
    #expect(failures == Array(stride(from: 3, to: 100, by: 10)))
  }

  @Test func `items are taken as room is made for them`() {
    let taken = Mutex(0)
    let items = (0..<1000).lazy.map { item in
      taken.withLock { $0 += 1 }
      return item
    }
    queue(2).map(
      items, work: { $0 },
      receive: { item, _ in #expect(taken.withLock { $0 } <= item + 2 * 16 + 1) })
    #expect(taken.withLock { $0 } == 1000)
  }

  @Test func `after a cancellation no item begins`() {
    let cancellation = Cancellation()
    var ended = 0
    let done = Mutex(0)
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

  /// Else a lock that the work has seen would be held for a moment longer than the build.
  @Test func `what the work holds is free when the map is done`() {
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
}
