import Files
import Synchronization

final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add(_ number: Int) { count.add(number, ordering: .sequentiallyConsistent) }
}

final class Log: Sendable {
  private let words = Locked<[String]>([])

  var all: [String] { words.withLock(\.self) }

  func add(_ word: String) { words.withLock { $0.append(word) } }
}

/// Waits for a condition; the suite's time limit ends an endless wait.
func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}
