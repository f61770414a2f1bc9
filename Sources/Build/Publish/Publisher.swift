import Bytes
import Diagnostics
package import Files
import Foundation
package import Plan
package import Store

/// Makes `output` equal to a site, so that a reader never sees half of it.
///
/// The order is the promise:
/// 1. The ledger claims what will come.
/// 2. Images are placed, which no page names yet.
/// 3. Pages that name them are placed, `index.html` last.
/// 4. What the site no longer has is removed, and the ledger claims only the site.
///
/// Each file is complete under a temporary name, and synced, before it gets its own.
package struct Publisher: Sendable {
  let output: Folder
  let store: BlobStore
  let queue: WorkQueue
  let tally: Tally
  let cancellation: Cancellation
  let adopt: Bool
  /// Throws if the build has lost its locks.
  let checkLocks: @Sendable () throws -> Void
  /// Bytes of all pages that are kept from their first run for the second; tests have less.
  package var keptBytes = 1 << 26

  package init(
    output: Folder, store: BlobStore, queue: WorkQueue, tally: Tally, cancellation: Cancellation,
    adopt: Bool, checkLocks: @escaping @Sendable () throws -> Void = {}
  ) {
    (self.output, self.store, self.queue, self.tally) = (output, store, queue, tally)
    (self.cancellation, self.adopt, self.checkLocks) = (cancellation, adopt, checkLocks)
  }

  /// What sitegen has in the output after a publish.
  struct Result {
    var ledger: Ledger
    /// What was written, and what was removed.
    var changed: Ledger
    /// Of the files of the ledger, in its order, and of the ledger itself.
    var stamps: StampedPaths
    /// Whether each stamp proves the bytes of its file.
    var areStampsComplete: Bool
    /// When the next old picture has to be removed.
    var keptUntil: Int64
  }

  /// Publishes without knowledge of the last build.
  package func publish(_ site: Site) throws { _ = try publish(site, lastStamps: nil) }

  /// Publishes, writing only what has changed.
  ///
  /// `lastStamps` are those of the last build's result, if known; `oldPictures` may stay although the
  /// site no longer has them.
  ///
  /// - Throws: `LostImages` if the store has damaged bytes. No visible file has changed then, and
  ///   publishing again after rendering them completes the site.
  func publish(
    _ site: Site, lastStamps: StampedPaths?, oldPictures: OldPictures? = nil
  ) throws -> Result {
    do {
      return try attempt(site, lastStamps, oldPictures)
    } catch BuildFailure.machine(let problem)
      where problem.id == DiagnosticID.outputUnsteady.rawValue
    {
      // Another program has changed a file that was just placed, so it is placed once more.
      return try attempt(site, nil, oldPictures)
    }
  }

  private func attempt(
    _ site: Site, _ lastStamps: StampedPaths?, _ oldPictures: OldPictures?
  ) throws -> Result {
    let moment = FileStamp.now()
    var ledgerStamp = try output.stamp(of: Ledger.fileName, followingLinks: false)
    let old = try Ledger(in: output)
    try checkContained(in: site.pages)
    let drafts = try draft(site.pages, old: old)
    let pages = Ledger(drafts.map(\.entry))
    // A build that was killed has claimed digests for files that it never placed.
    let knows =
      lastStamps?.stamps.count == old.entries.count + 1
      && lastStamps?.stamps.last == ledgerStamp
    let known = knows ? lastStamps?.stamps : nil

    var oldPictures = oldPictures
    let named = Ledger(site.images).merging(pages)
    let kept = Ledger(old.subtracting(named).filter { oldPictures?.keeps($0) == true })
    var checks = try check(named.merging(kept), old, known)
    // A damaged old picture cannot be made again.
    checks.removeAll { !$0.isRight && kept[$0.file.path] != nil }
    let new = Ledger(checks.map(\.file))
    let changed = Ledger(checks.filter { !$0.isRight }.map(\.file))
    let stillKept = new.subtracting(named)
    let orphans = old.subtracting(new)
    try oldPictures?.forget(allBut: stillKept)

    var stamps = checks.map(\.stamp)
    if !changed.entries.isEmpty || !orphans.isEmpty || old != new {
      try checkMayGoOn()
      let claimed = old.unfinished(until: new)
      try write(claimed)
      // If the output is emptied meanwhile, the next build must know what was placed since.
      defer {
        if (try? output.kind(of: Ledger.fileName)) == nil {
          _ = try? output.create(Data(claimed.bytes), at: Ledger.fileName)
        }
      }
      let placed = try place(changed, pages, drafts)
      // From here on the new site is visible: finishing is quicker than explaining half of it.
      try checkLocks()
      try remove(orphans)
      // A file that gets or loses a name has another time of change under each of its names.
      let relinked = Set((changed.entries + old.changed(since: new)).map(\.digest))
      stamps = try stampsAfterPlacing(new, stamps, placed, relinked)
      try checkLocks()
      try write(new)
      ledgerStamp = try output.stamp(of: Ledger.fileName, followingLinks: false)
    }
    // What an earlier attempt of this build has placed was written, whatever this one found.
    tally.count(\.unchanged, max(0, new.entries.count - tally.current.written))
    try oldPictures?.note(stillKept)

    var stamped = StampedPaths()
    var areComplete = ledgerStamp?.isTrustworthy(takenAt: moment) == true
    for (file, stamp) in zip(new.entries, stamps) {
      let proof = stamp.flatMap { $0.isTrustworthy(takenAt: moment) ? $0 : nil }
      areComplete = areComplete && proof != nil
      stamped.append(file.path, proof)
    }
    stamped.append(Ledger.fileName, ledgerStamp)
    return Result(
      ledger: new, changed: Ledger(orphans).merging(changed), stamps: stamped,
      areStampsComplete: areComplete, keptUntil: oldPictures?.end ?? .max)
  }

  func checkMayGoOn() throws {
    try cancellation.check()
    try checkLocks()
  }

  /// - Throws: `LostImages` with all that pages contain and the store has lost.
  private func checkContained(in pages: [Site.Page]) throws {
    let lost = try Set(pages.flatMap(\.contained)).filter { try store.get($0) == nil }
    if !lost.isEmpty { throw LostImages(digests: lost) }
  }

  private func write(_ ledger: Ledger) throws {
    try output.write(ledger.bytes, to: Ledger.fileName)
    try output.sync()
  }

  private func remove(_ orphans: [Site.File]) throws {
    let names = orphans.map(\.path).filter { $0 != Ledger.fileName }
    // Pages first: a build that is killed here leaves no page that names a missing file.
    func rank(_ path: String) -> Int {
      path.hasSuffix(".html") ? 0 : path.hasPrefix("assets/") ? 2 : 1
    }
    for path in names.sorted(by: { rank($0) < rank($1) }) {
      if try output.removeOurs(path) { tally.count(\.removed) }
      // An earlier build may have been killed after it removed the file.
      try output.removeEmptyParents(of: path)
    }
  }
}

// MARK: - What has to be done

extension Publisher {
  /// What is at the place of a file of the new site.
  private struct Check: Sendable {
    var file: Site.File
    var stamp: FileStamp?
    /// Whether it has the bytes that it must have.
    var isRight = false
    /// Whether sitegen did not write it and may not replace it.
    var isForeign = false
  }

  /// - Throws: `output-not-ours` if a file of other programs would be overwritten.
  private func check(_ new: Ledger, _ old: Ledger, _ known: [FileStamp]?) throws -> [Check] {
    var checks: [Check] = []
    try queue.map(new.entries.chunks(of: 512)) { files in
      let stamps = output.stamps(of: files.lazy.map(\.path), followingLinks: false)
      return try zip(files, stamps).map { try check($0, $1, old, known) }
    } receive: { _, result in
      checks += try result.get()
    }
    var foreign = checks.filter(\.isForeign).map(\.file.path)
    foreign += try obstacles(to: checks.filter { !$0.isRight }.map(\.file.path))
    guard let first = foreign.first else { return checks }
    let others = foreign.count > 1 ? " and \(foreign.count - 1) more" : ""
    throw BuildFailure.machine(
      .outputNotOurs,
      "\(output.path)/\(first)\(others) would be overwritten, and sitegen did not write it",
      help: "choose another --output, move the file away, or take it over with --adopt")
  }

  private func check(
    _ file: Site.File, _ stamp: FileStamp?, _ old: Ledger, _ known: [FileStamp]?
  ) throws -> Check {
    let index = old.index(of: file.path)
    let isOurs = index != nil || adopt
    guard let stamp else {
      let kind = try output.kind(of: file.path)
      return Check(file: file, isForeign: kind != nil && (kind == .folder || !isOurs))
    }
    guard isOurs else { return Check(file: file, stamp: stamp, isForeign: true) }
    if let index, known?[index] == stamp {
      return Check(
        file: file, stamp: stamp, isRight: old.entries[index].digest == file.digest)
    }
    let isRight =
      try stamp.size == file.size && output.open(beneath: file.path).digest() == file.digest
    return Check(file: file, stamp: stamp, isRight: isRight)
  }

  /// What has the name of a folder that is needed but is something else, or a link to a folder.
  private func obstacles(to paths: [String]) throws -> [String] {
    var folders: Set<Substring> = []
    for path in paths {
      var folder = path[...]
      while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
        folder = folder[..<slash]
        guard folders.insert(folder).inserted else { break }
      }
    }
    return try folders.map(String.init).sorted().filter { folder in
      let kind = try output.kind(of: folder)
      return kind != nil && kind != .folder
    }
  }

  /// Inspects all files once more, when they have their names.
  ///
  /// - Returns: Their stamps; nil for a file that has changed since it was checked.
  /// - Throws: If another program has changed or removed a file since it was placed.
  private func stampsAfterPlacing(
    _ new: Ledger, _ checked: [FileStamp?], _ placed: [String: FileStamp], _ relinked: Set<Digest>
  ) throws -> [FileStamp?] {
    // Not through the queue: a build that is stopped now has published all the same.
    let found = output.stamps(of: new.entries.lazy.map(\.path), followingLinks: false)
    var disturbed: [String] = []
    let stamps = new.entries.indices.map { index -> FileStamp? in
      let file = new.entries[index]
      var expected = placed[file.path] ?? checked[index]
      if let now = found[index] {
        if relinked.contains(file.digest) { expected?.changed = now.changed }
        if now == expected { return now }
      }
      if placed[file.path] != nil { disturbed.append(file.path) }
      return nil
    }
    if disturbed.isEmpty { return stamps }
    let paths = disturbed.prefix(3).map { "\(output.path)/\($0)" }
    throw BuildFailure.machine(
      .outputUnsteady,
      "another program writes to what is being published: \(paths.joined(separator: ", "))",
      help: "end that program, or choose another --output, and build again")
  }
}
