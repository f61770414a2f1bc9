import Bytes
import Files
import Foundation

/// Objects that are brought before they are wanted, and put away while the build goes on, so that a
/// long way to the store costs little.
///
/// Sendable: all that changes is used under the condition's lock.
final class Errands: @unchecked Sendable {
  typealias Bring = @Sendable (Digest) -> Data?

  private enum Wish {
    case waiting, running
    case here(Data?)

    var isRunning: Bool { if case .running = self { true } else { false } }
  }

  /// As many as the child has connections.
  private let threads: ThreadPool
  /// What lies here or is on its way, each for what comes and for what goes.
  private static let (most, mostBytes) = (64, 64 << 20)

  private let condition = NSCondition()
  private var wishes: [Digest: Wish] = [:]
  private var order: ArraySlice<Digest> = []
  private var (coming, comingBytes) = (0, 0)
  private var (going, goingBytes) = (0, 0)

  /// - Throws: When the system grants no thread.
  init() throws(FileError) { threads = try ThreadPool(name: "store", threads: 16) }

  private func locked<Value>(_ body: () -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  // MARK: - What comes

  /// Says what will be wanted, in that order.
  func announce(_ keys: [Digest], bring: @escaping Bring) {
    locked {
      for key in keys where wishes[key] == nil {
        wishes[key] = .waiting
        order.append(key)
      }
      begin(bring)
    }
  }

  /// What was announced and has been brought; the outer nil if nobody has begun to.
  func take(_ key: Digest, bring: @escaping Bring) -> Data?? {
    locked {
      while case .running = wishes[key] { condition.wait() }
      guard case .here(let bytes) = wishes.removeValue(forKey: key) else { return nil }
      coming -= 1
      comingBytes -= bytes?.count ?? 0
      begin(bring)
      return .some(bytes)
    }
  }

  /// Begins as many as there is room for; under the lock.
  private func begin(_ bring: @escaping Bring) {
    while coming < Self.most, comingBytes < Self.mostBytes, let key = order.popFirst() {
      guard case .waiting = wishes[key] else { continue }
      wishes[key] = .running
      coming += 1
      threads.add { [self] in
        let bytes = bring(key)
        locked {
          wishes[key] = .here(bytes)
          comingBytes += bytes?.count ?? 0
          condition.broadcast()
          begin(bring)
        }
      }
    }
  }

  // MARK: - What goes

  /// Puts something away, and waits only while too much is on its way.
  func send(_ count: Int, put: @escaping @Sendable () -> Void) {
    locked {
      while going > 0, going >= Self.most || goingBytes + count > Self.mostBytes {
        condition.wait()
      }
      going += 1
      goingBytes += count
    }
    threads.add { [self] in
      put()
      locked {
        going -= 1
        goingBytes -= count
        condition.broadcast()
      }
    }
  }

  /// Waits until everything is put away; what has not been brought is not wanted any more.
  func finish() {
    locked {
      order = []
      while going > 0 || wishes.values.contains(where: \.isRunning) { condition.wait() }
    }
  }
}
