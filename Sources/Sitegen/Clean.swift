import Files
import Foundation

/// Removes what sitegen wrote: the cache, and from the output what its ledger names.
///
/// Whole folders get a temporary name first, so that their paths are free at once, and are deleted
/// afterwards; a clean that is killed leaves only such names, which the next run sweeps.
package struct Clean: Sendable {
  private let options: BuildOptions

  package init(_ options: BuildOptions) {
    self.options = options
  }

  /// How many files of the output were removed.
  @discardableResult
  package func run() throws(BuildFailure) -> Int {
    do {
      try Workplace.refuseForeignCache(options)
      let removed = try cleanOutput()
      try cleanCache()
      return removed
    } catch {
      throw BuildFailure(error, Cancellation())
    }
  }

  private func cleanOutput() throws -> Int {
    guard let output = try existing(options.output) else { return 0 }
    let lock = try Workplace.lock(output, called: "output")
    defer { withExtendedLifetime(lock) {} }
    try output.sweepTemporaries()
    let ledger = try Ledger(in: output)
    let ours = Set(ledger.entries.map(\.path))
    var retired: [String] = []
    // Also when something goes wrong on the way: nothing names these files any more.
    defer { for name in retired { try? output.removeTree(name) } }
    for name in Set(ours.compactMap(Self.topFolder)).sorted()
    where try holdsOnly(ours, name, in: output) {
      if let temporary = try output.retire(name) { retired.append(temporary) }
    }
    Gate.pass("inside-clean")
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

  private func cleanCache() throws {
    guard let cache = try existing(options.cache) else { return }
    let lock = try Workplace.lock(cache, called: "cache")
    defer { withExtendedLifetime(lock) {} }
    try cache.sweepTemporaries()
    var retired: [String] = []
    defer { for name in retired { try? cache.removeTree(name) } }
    for name in Workplace.cacheNames {
      if let temporary = try cache.retire(name) { retired.append(temporary) }
    }
  }

  private func existing(_ path: String) throws(FileError) -> Folder? {
    do throws(FileError) {
      return try Folder(opening: path)
    } catch  where error.reason == .notFound {
      return nil
    }
  }

  private static func topFolder(of path: String) -> String? {
    path.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
  }

  /// Whether everything beneath a folder is a file of ours, or a folder of such files.
  private func holdsOnly(_ ours: Set<String>, _ name: String, in output: Folder) throws -> Bool {
    guard try output.kind(of: name) == .folder else { return false }
    var isOurs = true
    try output.walk(name) { entry throws(FileError) in
      isOurs = isOurs && (entry.kind == .folder || ours.contains(entry.path))
    }
    return isOurs
  }
}
