import Files
import Foundation
import Plan
import Store
import Workers

/// Removes sitegen's files: the cache, and the output files that are listed in the ledger.
///
/// Folders are renamed first, which frees their paths immediately. They are deleted after the locks
/// are released, so other runs do not have to wait. If `clean` is killed, the next run deletes the
/// renamed folders.
package struct Clean: Sendable {
  private let options: BuildOptions

  package init(_ options: BuildOptions) { self.options = options }

  package func run() throws(BuildFailure) -> (removed: Int, leftovers: PendingDeletions) {
    var retired: [(folder: Folder, names: [String])] = []
    do {
      try FolderRules.checkCache(options)
      let removed = try cleanOutput(&retired)
      try cleanCache(&retired)
      return (removed, PendingDeletions(retired))
    } catch {
      PendingDeletions(retired).finish()
      throw BuildFailure(error, Cancellation())
    }
  }

  private func cleanOutput(_ leftovers: inout [(folder: Folder, names: [String])]) throws -> Int {
    guard let output = try existing(options.output), try FolderRules.isOutput(output) else {
      return 0
    }
    let lock = try FolderRules.lock(output, called: "output")
    defer { withExtendedLifetime(lock) {} }
    var retired = try output.retired()
    defer { leftovers.append((output, retired)) }
    try output.sweepTemporaries(sparing: retired)
    let ledger = try Ledger(in: output)
    let ours = Set(ledger.entries.map(\.path))
    let folders = Set(
      ours.compactMap { path in
        path.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
      })
    for name in folders.sorted() where try holdsOnly(ours, name, in: output) {
      if let temporary = try output.retire(name) { retired.append(temporary) }
    }
    TestGate.pass("inside-clean")
    var removed = 0
    for entry in ledger.entries {
      let isRetired = try output.kind(of: entry.path) == nil
      if !isRetired, try output.removeOurs(entry.path) {
        try output.removeEmptyParents(of: entry.path)
      }
      removed += 1
    }
    try output.remove(Ledger.fileName)
    return removed
  }

  private static let cacheNames =
    [
      "store", "originals", UpToDateCheck.fileName, SavedResult.reportName,
      "report.html", "standing", Report.reportedName, "last-scheduled",
    ]
    + IndexFile.work.names + IndexFile.addresses.names

  private func cleanCache(_ leftovers: inout [(folder: Folder, names: [String])]) throws {
    guard let cache = try existing(options.cache) else { return }
    let lock = try FolderRules.lock(cache, called: "cache")
    defer { withExtendedLifetime(lock) {} }
    var retired = try cache.retired()
    defer { leftovers.append((cache, retired)) }
    try cache.sweepTemporaries(sparing: retired + [Shard.cachesName])
    // Lock the shards' caches too, because shards may be running.
    let shards = try cache.entries(of: Shard.cachesName).filter { $0.kind == .folder }
    let shardLocks = try shards.map {
      try FolderRules.lock(cache.folder($0.path), called: "cache")
    }
    defer { withExtendedLifetime(shardLocks) {} }
    for name in Self.cacheNames + [Shard.cachesName] {
      if let temporary = try cache.retire(name) { retired.append(temporary) }
    }
  }

  private func existing(_ path: String) throws(FileError) -> Folder? {
    try unlessMissing { () throws(FileError) in try Folder(opening: path) }
  }

  private func holdsOnly(_ ours: Set<String>, _ name: String, in output: Folder) throws -> Bool {
    guard try output.kind(of: name) == .folder else { return false }
    var isOurs = true
    try output.walk(name) { entry throws(FileError) in
      isOurs = isOurs && (entry.kind == .folder || ours.contains(entry.path))
    }
    return isOurs
  }
}
