import Files
import Foundation

/// Does what may take its time, on a few threads of its own.
///
/// Not on those that all queues of a program share: whoever waits there for long holds up others who
/// have nothing to do with it, and is held up by them.
final class Errands: Sendable {
  typealias Errand = @Sendable () -> Void

  private let limit: Int
  private let state = Guarded(State())
  private let count = DispatchSemaphore(value: 0)

  private struct State {
    var waiting: [Errand] = []
    var threads = 0
    var idle = 0
    var isClosed = false
  }

  /// - Parameter limit: How many are done at once.
  init(limit: Int) {
    self.limit = limit
  }

  /// In the order in which they came; after `close` not at all.
  func add(_ errand: @escaping Errand) {
    let needsThread = state.withLock { state in
      if state.isClosed { return false }
      state.waiting.append(errand)
      guard state.waiting.count > state.idle, state.threads < limit else { return false }
      state.threads += 1
      state.idle += 1
      return true
    }
    if needsThread {
      let thread = Thread { self.work() }
      thread.name = "errands"
      thread.start()
    }
    count.signal()
  }

  /// Forgets those that wait; those that are being done are not waited for.
  func close() {
    let threads = state.withLock { state in
      state.isClosed = true
      state.waiting = []
      return state.threads
    }
    for _ in 0..<threads { count.signal() }
  }

  private func work() {
    while true {
      count.wait()
      let (errand, isOver) = state.withLock { state -> (Errand?, Bool) in
        if state.isClosed { return (nil, true) }
        if state.waiting.isEmpty { return (nil, false) }
        state.idle -= 1
        return (state.waiting.removeFirst(), false)
      }
      if isOver { return }
      guard let errand else { continue }
      errand()
      state.withLock { $0.idle += 1 }
    }
  }
}
