import Dispatch
import Files

/// What was retired: things that nobody needs any more, deleted where nobody waits for it.
///
/// No lock is needed for that: no name of theirs is ever used again, and of two who delete the same
/// thing each finds less to do.
package final class Leftovers: Sendable {
  private let deletion = DispatchGroup()

  /// Begins to delete at once.
  ///
  /// What cannot be deleted stays, and the next run finds it.
  ///
  /// - Parameters:
  ///   - names: What to delete, as `Folder.retire` has called it.
  ///   - prepare: Called before the first one is deleted; tests hold it there.
  init(
    _ names: [(folder: Folder, names: [String])],
    prepare: @escaping @Sendable () -> Void = { TestGate.pass("before-deleting") }
  ) {
    guard names.contains(where: { !$0.names.isEmpty }) else { return }
    DispatchQueue.global(qos: .utility).async(group: deletion) {
      prepare()
      for (folder, names) in names {
        for name in names { try? folder.removeTree(name) }
      }
    }
  }

  /// Waits until everything is deleted.
  package func finish() {
    deletion.wait()
  }
}
