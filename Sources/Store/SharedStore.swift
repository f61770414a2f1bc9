package import Bytes
import Files
package import Foundation

/// What other machines have rendered, for a build that does without where the store fails.
///
/// No failure is thrown: without the store all is made here.
package final class SharedStore: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case read, write, readwrite
  }

  /// After so many failures, one after the other, it is left alone.
  private static let patience = 8

  /// A build waits no longer for an object, since it can render the same.
  private static let time = Duration.seconds(10)

  private struct State {
    var failures = 0
    var words: String?
    var isGivenUp = false
  }

  private let store: (any ObjectStore)?
  private let mode: Mode
  private let state: Guarded<State>

  package init(_ location: Location) {
    mode = location.mode
    var state = State()
    do throws(ObjectStoreFailure) {
      store = try location.open(within: Self.time)
    } catch {
      state = State(words: "\(location.address): \(error.words)", isGivenUp: true)
      store = nil
    }
    self.state = Guarded(state)
  }

  /// Why it was of no use, or not always; nil if nothing failed.
  package var failure: String? { state.withLock { $0.words } }

  package func get(_ key: Digest) -> Data? {
    guard mode != .write else { return nil }
    return attempt { (store) throws(ObjectStoreFailure) in try store.get(.result(key)) }
  }

  /// Keeps an object, and says whether that worked.
  package func put(_ bytes: Data, as key: Digest) -> Bool {
    // Nobody could read a larger one.
    guard mode != .read, bytes.count <= StoredObject.sizeLimit else { return false }
    return attempt { (store) throws(ObjectStoreFailure) in
      try store.put(bytes, as: .result(key))
      return true
    } ?? false
  }

  /// Whoever has put it there lies, or a disk does.
  package func distrust(_ key: Digest) {
    state.withLock { $0.words = $0.words ?? "an object is not what its key stands for: \(key.hex)" }
  }

  private func attempt<Value>(
    _ body: (any ObjectStore) throws(ObjectStoreFailure) -> Value?
  ) -> Value? {
    guard let store, !state.withLock({ $0.isGivenUp }) else { return nil }
    do throws(ObjectStoreFailure) {
      let value = try body(store)
      state.withLock { $0.failures = 0 }
      return value
    } catch {
      state.withLock { state in
        state.failures += 1
        state.words = state.words ?? error.words
        state.isGivenUp = state.failures >= Self.patience
      }
      return nil
    }
  }
}
