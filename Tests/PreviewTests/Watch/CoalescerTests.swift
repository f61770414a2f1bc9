import Dispatch
import Files
import Preview
import Synchronization
import Testing

/// Uses a virtual clock, so that a busy machine does not affect the results.
@Suite(.timeLimit(.minutes(15))) struct CoalescerTests {
  let time = VirtualClock()
  let ready = Counter()
  let coalescer: Coalescer

  init() {
    let ready = ready
    coalescer = Coalescer(
      quiet: .milliseconds(20), atMost: .seconds(1), clock: time.clock,
      onReady: { ready.add(1) })
  }

  /// C16: 500 events for 3 files make one rebuild with 3 paths.
  @Test func `many changes to three files become one batch of three sorted paths`() {
    for number in 0..<500 { coalescer.commit(.path("/site/\(["c", "a", "b"][number % 3])")) }
    time.pass(.milliseconds(20))
    #expect(ready.value == 1)
    #expect(coalescer.next() == [.path("/site/a"), .path("/site/b"), .path("/site/c")])
    time.pass(.seconds(10))
    #expect(ready.value == 1)
    #expect(time.waiting == 0)
  }

  /// C16: events during a rebuild cause exactly one more.
  @Test func `events during a rebuild trigger exactly one more rebuild`() {
    coalescer.commit(.path("/a"))
    time.pass(.milliseconds(20))
    #expect(coalescer.next() == [.path("/a")])
    // During the rebuild, the same file and another one change.
    for _ in 0..<100 {
      coalescer.commit(.path("/a"))
      coalescer.commit(.path("/b"))
      time.pass(.milliseconds(1))
    }
    time.pass(.seconds(5))
    #expect(ready.value == 2)
    #expect(coalescer.next() == [.path("/a"), .path("/b")])
    time.pass(.seconds(10))
    #expect(ready.value == 2)
  }

  @Test func `a batch is ready after a quiet period`() {
    coalescer.commit(.path("/a"))
    time.pass(.milliseconds(19))
    coalescer.commit(.anything)
    time.pass(.milliseconds(19))
    #expect(ready.value == 0)
    time.pass(.milliseconds(1))
    #expect(ready.value == 1)
    #expect(coalescer.next() == [.anything, .path("/a")])
  }

  @Test func `a batch grows until it is taken and is announced only once`() {
    coalescer.commit(.path("/a"))
    time.pass(.milliseconds(500))
    coalescer.commit(.path("/b"))
    time.pass(.milliseconds(20))
    #expect(ready.value == 1)
    #expect(coalescer.next() == [.path("/a"), .path("/b")])
  }

  @Test func `a batch is announced before it can be taken`() async {
    let order = Log()
    let (time, gate) = (time, DispatchSemaphore(value: 0))
    let coalescer = Coalescer(clock: time.clock) {
      order.add("announced")
      gate.wait()
      order.add("prepared")
    }
    let taking = DispatchGroup()
    DispatchQueue.global().async(group: taking) {
      _ = coalescer.next()
      order.add("taken")
    }
    coalescer.commit(.path("/a"))
    let passing = DispatchGroup()
    DispatchQueue.global().async(group: passing) { time.pass(.milliseconds(20)) }
    await until { order.all == ["announced"] }
    gate.signal()
    passing.wait()
    taking.wait()
    #expect(order.all == ["announced", "prepared", "taken"])
  }

  /// S14: however many changes occur, they are taken one batch at a time.
  ///
  /// C18: an event every 50 ms for 5 s, with a limit of 1 s, causes at least 4 rebuilds.
  @Test func `an endless stream of events is split into batches`() {
    let ready = ready
    let coalescer = Coalescer(
      quiet: .milliseconds(200), atMost: .seconds(1), clock: time.clock,
      onReady: { ready.add(1) })
    var batches: [[FileChange]] = []
    for number in 0..<100 {
      coalescer.commit(.path("/\(1000 + number)"))
      time.pass(.milliseconds(50))
      if ready.value > batches.count { batches.append(coalescer.next() ?? []) }
    }
    #expect(batches.count == 5)
    #expect(batches.allSatisfy { $0.count == 20 })
    #expect(batches.joined().elementsEqual((1000..<1100).map { .path("/\($0)") }))
  }

  /// C18: real-time events every 5 ms, with a limit of 100 ms, cause several rebuilds.
  @Test func `an endless stream of events is split into batches in real time`() {
    let coalescer = Coalescer(quiet: .milliseconds(50), atMost: .milliseconds(100))
    let isOver = Atomic(false)
    let streaming = DispatchGroup()
    DispatchQueue(label: "stream").async(group: streaming) {
      while !isOver.load(ordering: .relaxed) {
        coalescer.commit(.path("/a"))
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
      }
    }
    let start = ContinuousClock.now
    for _ in 0..<4 { #expect(coalescer.next() == [.path("/a")]) }
    // Each batch has waited for 50 ms of quiet or for 100 ms.
    #expect(ContinuousClock.now - start >= .milliseconds(200))
    isOver.store(true, ordering: .relaxed)
    streaming.wait()
  }

  /// C17: 8 threads report 1,000 changes each; `script/sanitize` also runs this under TSan.
  @Test func `eight threads neither lose nor duplicate changes`() {
    let coalescer = Coalescer(quiet: .milliseconds(1), atMost: .milliseconds(3))
    let committing = DispatchGroup()
    for thread in 0..<8 {
      DispatchQueue(label: "commit \(thread)").async(group: committing) {
        for number in 0..<1000 { coalescer.commit(.path("/\(thread)/\(number)")) }
      }
    }
    var taken: [FileChange] = []
    while taken.count < 8000, let batch = coalescer.next() {
      #expect(batch == batch.sorted())
      taken += batch
    }
    committing.wait()
    #expect(taken.count == 8000)
    #expect(Set(taken).count == 8000)
  }

  /// C19: pending changes are dropped as a whole.
  @Test func `closing drops pending changes and wakes waiting threads`() async {
    let coalescer = coalescer
    coalescer.commit(.path("/a"))
    let answers = Log()
    let waiting = DispatchGroup()
    DispatchQueue(label: "next").async(group: waiting) {
      answers.add(coalescer.next() == nil ? "nothing" : "a batch")
    }
    // A signal handler's queue closes the coalescer during the quiet period.
    time.pass(.milliseconds(10))
    DispatchQueue(label: "signal").async { coalescer.close() }
    waiting.wait()
    #expect(answers.all == ["nothing"])
    coalescer.commit(.path("/b"))
    time.pass(.seconds(10))
    #expect(ready.value == 0)
    #expect(coalescer.next() == nil)
    #expect(time.waiting == 0)
  }

  /// C19: a batch that is ready is also dropped.
  @Test func `closing also drops a batch that is ready`() {
    coalescer.commit(.path("/a"))
    time.pass(.milliseconds(20))
    #expect(ready.value == 1)
    coalescer.close()
    coalescer.close()
    #expect(coalescer.next() == nil)
  }
}
