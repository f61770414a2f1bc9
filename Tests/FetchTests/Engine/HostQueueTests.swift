import Fetch
import Testing
import Transfers

@Suite struct HostQueueTests {
  private func start(_ queue: inout HostQueue, _ now: Duration = .zero) -> [Int] {
    var started: [Int] = []
    while let id = queue.next(now: now) { started.append(id) }
    return started
  }

  private func fail(_ queue: inout HostQueue, _ now: Duration = .zero) -> Bool {
    queue.noteFailure("a", now: now)
  }

  @Test func `hosts take turns, each within its limit`() {
    var queue = HostQueue(perHost: 2, overall: 5, patience: 8)
    for id in 0..<10 { queue.enter(id, "a") }
    for id in 10..<13 { queue.enter(id, "b") }
    queue.enter(20, "c")
    #expect(start(&queue) == [0, 10, 20, 1, 11])
    queue.leave("c")
    #expect(start(&queue) == [])
    queue.leave("a")
    #expect(start(&queue) == [2])
    queue.leave("b")
    #expect(start(&queue) == [12])
    #expect(queue.running == 4)
  }

  @Test func `a delayed request starts before new ones once it is due`() {
    var queue = HostQueue(perHost: 1, overall: 5, patience: 8)
    queue.enter(1, "a")
    queue.enter(2, "a", due: .seconds(3))
    queue.enter(3, "a")
    #expect(start(&queue) == [1])
    #expect(queue.due(now: .zero) == .seconds(3))
    queue.leave("a")
    #expect(start(&queue, .seconds(4)) == [2])
    #expect(queue.due(now: .seconds(4)) == nil)
    queue.leave("a")
    #expect(start(&queue, .seconds(5)) == [3])
  }

  @Test func `retries start before new requests and keep their order`() {
    var queue = HostQueue(perHost: 1, overall: 5, patience: 8)
    queue.enter(1, "a")
    for id in 2...4 { queue.enter(id, "a", due: .zero) }
    queue.enter(5, "a", due: .seconds(1))
    var order: [Int] = []
    while let id = queue.next(now: .seconds(2)) {
      order.append(id)
      queue.leave("a")
    }
    #expect(order == [2, 3, 4, 5, 1])
  }

  @Test func `all matching requests are removed together`() {
    var queue = HostQueue(perHost: 1, overall: 5, patience: 8)
    for id in 1...4 { queue.enter(id, "a") }
    queue.enter(5, "a", due: .zero)
    queue.enter(6, "a", due: .seconds(1))
    queue.enter(7, "b")
    #expect(queue.remove("a") { $0 != 3 }.sorted() == [1, 2, 4, 5, 6])
    #expect(queue.remove("c") { _ in true } == [])
    #expect(start(&queue).sorted() == [3, 7])
    #expect(queue.due(now: .zero) == nil)
  }

  @Test func `requests wait while their host is paused`() {
    var queue = HostQueue(perHost: 4, overall: 5, patience: 8)
    queue.enter(1, "a")
    queue.pause("a", until: .seconds(5))
    queue.pause("a", until: .seconds(2))
    queue.enter(2, "a")
    queue.enter(3, "b")
    #expect(start(&queue) == [3])
    #expect(queue.due(now: .zero) == .seconds(5))
    #expect(start(&queue, .milliseconds(4999)) == [])
    #expect(start(&queue, .seconds(5)) == [1, 2])
    #expect(queue.due(now: .seconds(5)) == nil)
  }

  @Test func `the queue wakes up when a pause ends or a retry is due`() {
    var queue = HostQueue(perHost: 1, overall: 5, patience: 8)
    for id in 1...3 { queue.enter(id, "a") }
    queue.enter(4, "a", due: .seconds(2))
    #expect(start(&queue) == [1])
    queue.pause("a", until: .seconds(1))
    #expect(queue.due(now: .zero) == .seconds(1))
    #expect(start(&queue, .seconds(1)) == [])
    // One request is running, so the queue waits until it ends or the retry is due.
    #expect(queue.due(now: .seconds(1)) == .seconds(2))
  }

  @Test func `a removed request never starts`() {
    var queue = HostQueue(perHost: 4, overall: 5, patience: 8)
    queue.enter(1, "a")
    queue.enter(2, "a", due: .seconds(1))
    queue.enter(3, "a")
    _ = queue.remove("a") { $0 == 1 }
    _ = queue.remove("a") { $0 == 2 }
    #expect(start(&queue) == [3])
    #expect(queue.due(now: .zero) == nil)
  }

  @Test func `after repeated failures, requests to a host stop for a while`() {
    var queue = HostQueue(perHost: 4, overall: 5, patience: 3)
    #expect(fail(&queue) == false)
    #expect(fail(&queue) == false)
    queue.noteSuccess("a")
    #expect(fail(&queue) == false)
    #expect(fail(&queue) == false)
    #expect(!queue.isGivenUp("a", now: .zero))
    #expect(fail(&queue) == true)
    #expect(queue.isGivenUp("a", now: .zero))
    #expect(!queue.isGivenUp("b", now: .zero))
    #expect(!queue.isGivenUp("a", now: HostQueue.rest))
    #expect(fail(&queue, HostQueue.rest) == true)
    #expect(queue.isGivenUp("a", now: HostQueue.rest))
  }
}
