import Diagnostics
import Files
import Foundation
import Store

/// The rules that a build's folders must meet before any of them is created or changed.
package enum FolderRules {
  static let lockName = ".sitegen-lock"
  static let ledgerName = ".sitegen-files"

  static func areNew(_ options: BuildOptions) -> Bool {
    [options.output, options.cache].contains { (try? Folder(opening: $0)) == nil }
  }

  static func manifest(_ options: BuildOptions) throws -> (Folder, String) {
    do throws(FileError) {
      let path = options.manifest
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      return (try Folder(opening: folder), name)
    } catch {
      throw BuildFailure.unreadableManifest(options.manifest, error)
    }
  }

  static func lock(_ folder: Folder, called name: String) throws -> FileLock {
    switch try FileLock.acquire(lockName, in: folder) {
    case .acquired(let lock): return lock
    case .held(let holder):
      throw BuildFailure.locked(
        Diagnostic(
          .error, .locked,
          "another build is running in \(folder.path): \(holder) has locked the \(name)",
          help: "wait for it to finish; a killed build does not leave a lock behind"))
    }
  }

  /// Returns whether a folder is an output: it has a ledger, or it has a lock but no cache index.
  ///
  /// Only a lock remains after a killed first build, or after `clean` in a shared folder.
  static func isOutput(_ folder: Folder) throws -> Bool {
    if try folder.kind(of: ledgerName) == .file { return true }
    return try folder.kind(of: lockName) == .file && folder.kind(of: IndexFile.work.rawValue) == nil
  }

  /// Checks that the cache is empty or was created by sitegen, because its files may be deleted.
  static func checkCache(_ options: BuildOptions) throws {
    // The cache must not be published with the output.
    if try isInside(options.cache, options.output) {
      throw BuildFailure.usage(
        .cacheNotOurs, "the cache \(options.cache) is the output folder, or is inside it",
        help: "choose another folder with --cache")
    }
    guard let cache = try? Folder(opening: options.cache) else { return }
    // A folder with only shards' caches is treated as empty. One with a ledger is an output.
    let isEmpty = try cache.entries().allSatisfy { $0.name == Shard.cachesName }
    let isCache = try cache.kind(of: lockName) == .file && cache.kind(of: ledgerName) == nil
    guard isEmpty || isCache else {
      throw BuildFailure.usage(
        .cacheNotOurs, "\(options.cache) is not a cache: it contains files not written by sitegen",
        help: "choose an empty folder with --cache, or one that does not exist")
    }
    let hasContent = try cache.entries().contains { $0.name != lockName }
    guard try isCache && hasContent && cache.isWritableByAll(unlike: lockName) else { return }
    throw BuildFailure.usage(
      .cacheNotOurs, "cannot use the cache \(options.cache): any user can write to it",
      help: "remove it, or run chmod go-w \(options.cache) if no other user has changed it")
  }

  private static func isInside(_ path: String, _ other: String) throws -> Bool {
    let (inner, outer) = (try Folder.nearest(to: path), try Folder.nearest(to: other))
    // The target of `..` in a missing folder is unknown until the folder is created.
    if (inner.missing + outer.missing).contains("..") { return true }
    if outer.missing.isEmpty {
      return try Folder.chain(from: inner.folder.path).contains { try $0.isSame(as: outer.folder) }
    }
    return try inner.missing.starts(with: outer.missing) && inner.folder.isSame(as: outer.folder)
  }

  /// Rejects folders with unrelated files, so that a mistyped path cannot mix the site with them.
  package static func checkOutput(_ options: BuildOptions) throws {
    guard let output = try? Folder(opening: options.output) else { return }
    let home = try? Folder(opening: ProcessInfo.processInfo.environment["HOME"] ?? "")
    var sources: [Folder] = []
    do throws(FileError) {
      if let (folder, _) = try? manifest(options) { sources = try Folder.chain(from: folder.path) }
    } catch {
      throw BuildFailure.unreadableManifest(options.manifest, error)
    }
    for (folders, problem) in [
      ([home].compactMap(\.self), "is your home folder"), (sources, "contains the manifest"),
    ]
    where try folders.contains(where: { try $0.isSame(as: output) }) {
      throw BuildFailure.usage(
        .outputNotOurs, "cannot publish to \(options.output): it \(problem)",
        help: "choose another folder with --output")
    }
    guard try !options.adopt && !isOutput(output), let first = try output.entries().first else {
      return
    }
    throw BuildFailure.machine(
      .outputNotOurs,
      "cannot publish to \(options.output): it contains files that sitegen did not write, such as "
        + "\(first.name)",
      help: "choose another --output, move the files away, or share the folder with --adopt")
  }
}
