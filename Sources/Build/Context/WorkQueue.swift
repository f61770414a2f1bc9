import Files
import Foundation

/// A parallel map that delivers results on the calling thread, in the order of the items.
package final class WorkQueue: Sendable {
  package let width: Int
  private let operations: OperationQueue
  private let cancellation: Cancellation
  private let load = Locked((running: 0, peak: 0))

  /// After a cancellation, running items finish and the others fail with `CancellationError`.
  package init(name: String, width: Int, cancellation: Cancellation) {
    self.width = width
    self.cancellation = cancellation
    operations = OperationQueue()
    operations.name = name
    operations.maxConcurrentOperationCount = width
  }

  package var peakConcurrency: Int { load.withLock(\.peak) }

  /// Runs `work` on items in parallel; threads rarely wait, because 16 items per thread are queued.
  package func map<Item: Sendable, Output: Sendable, Failure: Error>(
    _ items: some Sequence<Item>,
    work: @escaping @Sendable (Item) throws -> Output,
    receive: (Item, Result<Output, any Error>) throws(Failure) -> Void
  ) throws(Failure) {
    var window: [Task<Item, Output>] = []
    var head = 0
    var iterator = items.makeIterator()
    defer { for task in window[head...] { task.waitUntilFinished() } }

    while true {
      while window.count - head < width * 16, let item = iterator.next() {
        let task = Task(item, on: self, work: work)
        window.append(task)
        operations.addOperation(task)
      }
      guard head < window.count else { return }
      let task = window[head]
      task.waitUntilFinished()
      head += 1
      // Release finished items early: an item may keep part of a file in memory.
      if head == 64 {
        window.removeFirst(head)
        head = 0
      }
      try receive(task.item, task.result)
    }
  }

  /// `@unchecked Sendable`: only `main` uses `work`; `result` is read after `waitUntilFinished`.
  private final class Task<Item: Sendable, Output: Sendable>: Operation, @unchecked Sendable {
    let item: Item
    private let queue: WorkQueue
    private var work: (@Sendable (Item) throws -> Output)?
    private(set) var result: Result<Output, any Error> = .failure(CancellationError())

    init(_ item: Item, on queue: WorkQueue, work: @escaping @Sendable (Item) throws -> Output) {
      self.item = item
      self.queue = queue
      self.work = work
    }

    override func main() {
      // Release captured objects, such as a locked folder, before `map` returns.
      defer { work = nil }
      guard let work, !queue.cancellation.isCancelled else { return }
      queue.load.withLock { load in
        load.running += 1
        load.peak = max(load.peak, load.running)
      }
      defer { queue.load.withLock { $0.running -= 1 } }
      result = Result { try work(item) }
    }
  }
}
