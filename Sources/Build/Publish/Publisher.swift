import Bytes
import Diagnostics
package import Files
import Foundation
package import Plan
package import Store

/// An update that makes the output match a site, without visible intermediate states.
///
/// The order matters:
/// 1. Claim all new files in the ledger.
/// 2. Publish images; pages do not refer to them yet.
/// 3. Publish pages, `index.html` last.
/// 4. Remove files that are no longer part of the site, and reduce the ledger to the site.
///
/// Each file is complete and synced under a temporary name before it is renamed.
package struct Publisher: Sendable {
  let output: Folder
  let store: BlobStore
  let queue: WorkQueue
  let tally: Tally
  let cancellation: Cancellation
  let adopt: Bool
  let checkLocks: @Sendable () throws -> Void
  /// The maximum size of generated pages that are kept in memory, in bytes.
  package var keptBytes = 1 << 26

  package init(
    output: Folder, store: BlobStore, queue: WorkQueue, tally: Tally, cancellation: Cancellation,
    adopt: Bool, checkLocks: @escaping @Sendable () throws -> Void = {}
  ) {
    (self.output, self.store, self.queue, self.tally) = (output, store, queue, tally)
    (self.cancellation, self.adopt, self.checkLocks) = (cancellation, adopt, checkLocks)
  }

  struct Result {
    var ledger: Ledger
    var changed: Ledger
    /// The stamps of the ledger's files, in order, followed by the stamp of the ledger.
    var stamps: StampedPaths
    /// Whether each stamp proves that its file is unchanged.
    var areStampsComplete: Bool
    /// When the next old picture must be removed, in seconds since 1970.
    var keptUntil: Int64
  }

  package func publish(_ site: Site) throws { _ = try publish(site, lastStamps: nil) }

  /// Publishes a site, writing only changed files and keeping the pictures that `oldPictures`
  /// chooses.
  ///
  /// - Throws: `LostImages` if images in the store are damaged. The visible site is then unchanged;
  /// render the images again and retry.
  func publish(
    _ site: Site, lastStamps: StampedPaths?, oldPictures: OldPictures? = nil
  ) throws -> Result {
    do {
      return try attempt(site, lastStamps, oldPictures)
    } catch BuildFailure.machine(let problem)
      where problem.id == DiagnosticID.outputUnsteady.rawValue
    {
      // Another program changed a file that was just published, so try once more.
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
    // A killed build may have claimed files that it never published.
    let knows =
      lastStamps?.stamps.count == old.entries.count + 1
      && lastStamps?.stamps.last == ledgerStamp
    let known = knows ? lastStamps?.stamps : nil

    var oldPictures = oldPictures
    let named = Ledger(site.images).merging(pages)
    let kept = Ledger(old.subtracting(named).filter { oldPictures?.keeps($0) == true })
    var checks = try check(named.merging(kept), old, known)
    // Skip damaged old pictures, because they cannot be rendered again.
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
      // If another program empties the output, the next build must know which files were published.
      defer {
        if (try? output.kind(of: Ledger.fileName)) == nil {
          _ = try? output.create(Data(claimed.bytes), at: Ledger.fileName)
        }
      }
      let placed = try place(changed, pages, drafts)
      // The new site is visible from here on, so finish even after a cancellation.
      try checkLocks()
      try remove(orphans)
      // Adding or removing a hard link updates the change time, which all of a file's names share.
      let relinked = Set((changed.entries + old.changed(since: new)).map(\.digest))
      stamps = try stampsAfterPlacing(new, stamps, placed, relinked)
      try checkLocks()
      try write(new)
      ledgerStamp = try output.stamp(of: Ledger.fileName, followingLinks: false)
    }
    // Files that this build's first attempt published are counted as written, not as unchanged.
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
    // Remove pages first: a killed build must not leave pages with dead links.
    func rank(_ path: String) -> Int {
      path.hasSuffix(".html") ? 0 : path.hasPrefix("assets/") ? 2 : 1
    }
    for path in names.sorted(by: { rank($0) < rank($1) }) {
      if try output.removeOurs(path) { tally.count(\.removed) }
      // An earlier build may have been killed between removing the file and its folder.
      try output.removeEmptyParents(of: path)
    }
  }

  /// A file to publish, and the current state of its path in the output.
  private struct Check: Sendable {
    var file: Site.File
    var stamp: FileStamp?
    var isRight = false
    /// Whether the file belongs to another program and must not be replaced.
    var isForeign = false
  }

  private func check(_ new: Ledger, _ old: Ledger, _ known: [FileStamp]?) throws -> [Check] {
    var checks: [Check] = []
    try queue.map(new.entries.chunks(of: 512)) { files in
      let stamps = output.stamps(of: files.lazy.map(\.path))
      return try zip(zip(files, stamps), old.indices(of: files)).map {
        try check($0.0, $0.1, old, $1, known)
      }
    } receive: { _, result in
      checks += try result.get()
    }
    var foreign = checks.filter(\.isForeign).map(\.file.path)
    foreign += try obstacles(to: checks.filter { !$0.isRight }.map(\.file.path))
    guard let first = foreign.first else { return checks }
    let others = foreign.count > 1 ? " and \(foreign.count - 1) more" : ""
    throw BuildFailure.machine(
      .outputNotOurs,
      "cannot overwrite \(output.path)/\(first)\(others), which sitegen did not write",
      help: "choose another --output, move such files away, or overwrite them with --adopt")
  }

  private func check(
    _ file: Site.File, _ stamp: FileStamp?, _ old: Ledger, _ index: Int?, _ known: [FileStamp]?
  ) throws -> Check {
    let isOurs = index != nil || adopt
    guard let stamp else {
      let kind = try output.kind(of: file.path)
      return Check(file: file, isForeign: kind != nil && (kind == .folder || !isOurs))
    }
    guard isOurs else { return Check(file: file, stamp: stamp, isForeign: true) }
    if let index, known?[index] == stamp {
      return Check(file: file, stamp: stamp, isRight: old.entries[index].digest == file.digest)
    }
    let isRight =
      try stamp.size == file.size && output.open(beneath: file.path).digest() == file.digest
    return Check(file: file, stamp: stamp, isRight: isRight)
  }

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

  /// Returns the stamps of all files after publishing, reading only those that publishing changed;
  /// nil for a file that another program changed as well.
  private func stampsAfterPlacing(
    _ new: Ledger, _ checked: [FileStamp?], _ placed: [String: FileStamp], _ relinked: Set<Digest>
  ) throws -> [FileStamp?] {
    // Bypass the queue, which stops after a cancellation: the new site is visible and must be
    // checked.
    let touched = new.entries.indices.filter { relinked.contains(new.entries[$0].digest) }
    var (stamps, disturbed) = (checked, [String]())
    for (index, now) in zip(touched, output.stamps(of: touched.lazy.map { new.entries[$0].path })) {
      let path = new.entries[index].path
      let mine = placed[path]
      var expected = mine ?? checked[index]
      if let now { expected?.changed = now.changed }
      stamps[index] = now == expected ? now : nil
      if mine != nil, now != expected { disturbed.append(path) }
    }
    if disturbed.isEmpty { return stamps }
    let paths = disturbed.prefix(3).map { "\(output.path)/\($0)" }
    throw BuildFailure.machine(
      .outputUnsteady,
      "another program is changing published files: \(paths.joined(separator: ", "))",
      help: "stop that program, or choose another --output, and build again")
  }
}
