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

  /// Who may take may not be allowed to put.
  private enum Way { case taking, putting }

  private struct State {
    var failures: [Way: Int] = [:]
    var words: String?
  }

  private let store: (any ObjectStore)?
  /// Why it may not be asked at all, if the jail that is required is not there.
  package let refusal: ObjectStoreFailure?
  private let mode: Mode
  /// Nil for a folder, which is near, and where the system grants no thread.
  private let errands: Errands?
  private let state: Guarded<State>

  package init(
    _ location: Location, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    mode = location.mode
    errands = location.path == nil ? try? Errands() : nil
    var state = State()
    var refusal: ObjectStoreFailure?
    do throws(ObjectStoreFailure) {
      store = try location.open(within: Self.time, isCancelled: isCancelled)
    } catch {
      state = State(words: "\(location.address): \(error.words)")
      store = nil
      if error.lack != nil { refusal = error }
    }
    self.refusal = refusal
    self.state = Guarded(state)
  }

  /// Why it was of no use, or not always; nil if nothing failed.
  package var failure: String? { state.withLock { $0.words } }

  /// Says what will be asked for, so that it is brought before.
  package func announce(_ keys: [Digest]) {
    guard mode != .write else { return }
    errands?.announce(keys) { [self] in bring($0) }
  }

  package func get(_ key: Digest) -> Data? {
    guard mode != .write else { return nil }
    return errands?.take(key) { [self] in bring($0) } ?? bring(key)
  }

  private func bring(_ key: Digest) -> Data? {
    attempt(.taking) { (store) throws(ObjectStoreFailure) in try store.get(.result(key)) }
  }

  /// Keeps an object, perhaps later, and calls `done` if that worked.
  package func put(_ bytes: Data, as key: Digest, done: @escaping @Sendable () -> Void) {
    // Nobody could read a larger one.
    guard mode != .read, bytes.count <= StoredObject.sizeLimit else { return }
    @Sendable func put() {
      let isPut: Bool? = attempt(.putting) { (store) throws(ObjectStoreFailure) in
        try store.put(bytes, as: .result(key))
        return true
      }
      if isPut == true { done() }
    }
    if let errands { errands.send(bytes.count) { put() } } else { put() }
  }

  /// Waits for all that is to be kept.
  package func finish() { errands?.finish() }

  /// Whoever has put it there lies, or a disk does.
  package func distrust(_ key: Digest) {
    state.withLock { $0.words = $0.words ?? "an object is not what its key stands for: \(key.hex)" }
  }

  private func attempt<Value>(
    _ way: Way, _ body: (any ObjectStore) throws(ObjectStoreFailure) -> Value?
  ) -> Value? {
    guard let store, state.withLock({ $0.failures[way, default: 0] }) < Self.patience else {
      return nil
    }
    do throws(ObjectStoreFailure) {
      let value = try body(store)
      state.withLock { $0.failures[way] = 0 }
      return value
    } catch {
      state.withLock { state in
        state.failures[way, default: 0] += 1
        state.words = state.words ?? error.words
      }
      return nil
    }
  }
}
