import Dispatch
package import Files
import Foundation
import Workers

/// Deletes files in the background, after they have been renamed to temporary names.
///
/// Deletion needs no lock: names are never reused, and two runs can safely delete the same file.
package final class PendingDeletions: Sendable {
  private let deletion = DispatchGroup()
  private let failure = Locked<FileError?>(nil)

  /// Starts deleting files renamed by `Folder.retire`; the next run retries failed deletions.
  init(_ names: [(folder: Folder, names: [String])]) {
    guard names.contains(where: { !$0.names.isEmpty }) else { return }
    DispatchQueue.global(qos: .utility).async(group: deletion) { [failure] in
      TestGate.pass("before-deleting")
      for (folder, names) in names {
        for name in names {
          do throws(FileError) {
            try folder.removeTree(name)
          } catch {
            failure.withLock { $0 = $0 ?? error }
          }
        }
      }
    }
  }

  /// Deletes a killed build's leftovers, and starts deleting the folders renamed by `clean`.
  convenience init(in locked: [(folder: Folder, lock: FileLock)]) throws {
    self.init(
      try locked.map { folder, lock in
        let retired = try folder.retired()
        if lock.wasAbandoned { try folder.sweepTemporaries(sparing: retired + [Shard.cachesName]) }
        return (folder, retired)
      })
  }

  @discardableResult
  package func finish() -> FileError? {
    deletion.wait()
    return failure.withLock { $0 }
  }
}

/// A private temporary folder that is removed when this object is released.
package final class Scratch: Sendable {
  package let path: String

  package init() throws {
    let name = "sitegen-\(UUID().uuidString.lowercased())"
    path = FileManager.default.temporaryDirectory.path + "/" + name
    _ = try Folder(making: path, mode: 0o700)
  }

  deinit {
    // If this fails, the system will eventually clean up its temporary folder.
    try? FileManager.default.removeItem(atPath: path)
  }
}
