import Bytes
import Diagnostics
package import Files
import Foundation
package import Plan
package import Store

/// Makes `output` equal to a site, so that a reader never sees half of it.
///
/// The order is the promise: the ledger claims what will come; images, which nothing names yet;
/// then the pages that name them; then the removal of what nothing names any more. Everything is
/// whole under a temporary name, and synced, before it gets its own.
package struct Publisher: Sendable {
  let output: Folder
  let store: BlobStore
  let queue: WorkQueue
  let tally: Tally
  let cancellation: Cancellation
  let adopt: Bool
  /// Throws when nothing may be published any more.
  let checkLocks: @Sendable () throws -> Void
  /// Pages that were staged when they were drafted, by path.
  let early = Guarded<[String: StagedFile]>([:])

  /// So many images are staged, synced and placed at a time: enough to make a sync cheap, few
  /// enough to keep their names in memory.
  private static let batch = 16384

  package init(
    output: Folder, store: BlobStore, queue: WorkQueue, tally: Tally, cancellation: Cancellation,
    adopt: Bool, checkLocks: @escaping @Sendable () throws -> Void = {}
  ) {
    self.output = output
    self.store = store
    self.queue = queue
    self.tally = tally
    self.cancellation = cancellation
    self.adopt = adopt
    self.checkLocks = checkLocks
  }

  /// Publishes without knowledge of the last build.
  package func publish(_ site: Site) throws { _ = try publish(site, lastOutputs: nil) }

  /// - Parameters:
  ///   - site: What shall be there.
  ///   - lastOutputs: What the last build left, if anything is known of it.
  ///   - oldPictures: What may stay though the site has it no more.
  /// - Throws: `LostImages` when the store has damaged bytes; nothing that is visible has changed
  ///   then, and publishing again after rendering them completes the site.
  /// - Returns: What is there now and ours.
  func publish(
    _ site: Site, lastOutputs: OutputStamps?, oldPictures: OldPictures? = nil
  ) throws -> Result {
    defer {
      early.withLock { early in
        for file in early.values { output.discard(file) }
        early = [:]
      }
    }
    let moment = FileStamp.now()
    let ledgerStamp = try output.stamp(of: Ledger.fileName, followingLinks: false)
    let old = try Ledger(in: output)
    try checkContained(in: site.pages)
    let drafts = try draft(site.pages, old: old)
    let pages = Ledger(drafts.map(\.entry))
    // A build that was killed has claimed digests for files that it never placed.
    let oldStamps = lastOutputs?.ledger == ledgerStamp ? lastOutputs?.files : nil
    var (new, oldPictures) = (Ledger(site.images).merging(pages), oldPictures)
    let unnamed = old.subtracting(new)
    var kept = Ledger(unnamed.filter { oldPictures?.keeps($0) == true })
    let keptBefore = before(kept, old: old, stamps: oldStamps)
    // What is damaged cannot be made again.
    kept = Ledger(kept.subtracting(try changed(kept, keptBefore, since: moment).files))
    new = new.merging(kept)
    try oldPictures?.forget(allBut: kept.entries)
    let before = before(new, old: old, stamps: oldStamps)
    // Nothing else is asked of the old ledger: it may go before the heavy part begins.
    let orphans = Ledger(unnamed).subtracting(kept)
    let isClaimed = old == new
    let changed: Ledger
    var stamps: OutputStamps
    (changed, stamps) = try self.changed(new, before, since: moment)
    if changed.entries.isEmpty && orphans.isEmpty && isClaimed {
      countUnchanged(of: new)
      stamps.note(ledger: ledgerStamp, since: moment)
      try oldPictures?.note(kept.entries)
      return Result(
        ledger: new, changed: changed, stamps: stamps, keptUntil: oldPictures?.end ?? .max)
    }

    let relinked = relinked(new, before, changed, orphans)
    try checkMayGoOn()
    try write(Ledger(orphans).merging(new))
    var disturbed = changed
    for _ in 0..<3 where !disturbed.entries.isEmpty {
      let found: OutputStamps
      let placed = disturbed
      (disturbed, found) = try place(placed, pages, drafts)
      stamps.replace(new, placed, found)
    }
    if !disturbed.entries.isEmpty { throw unsteady(disturbed) }
    // From here on the new site stands: finishing is quicker than explaining half of it.
    try checkLocks()
    try remove(orphans)
    stamps.lookAgain(at: relinked, new, in: output)
    try checkLocks()
    try write(new)
    countUnchanged(of: new)
    stamps.note(ledger: try output.stamp(of: Ledger.fileName, followingLinks: false), since: moment)
    try oldPictures?.note(kept.entries)
    return Result(
      ledger: new, changed: Ledger(orphans).merging(changed), stamps: stamps,
      keptUntil: oldPictures?.end ?? .max)
  }

  /// What is there now and ours.
  struct Result {
    var ledger: Ledger
    /// What was written, and what was removed.
    var changed: Ledger
    var stamps: OutputStamps
    /// When a picture has to go that nothing names any more.
    var keptUntil: Int64
  }

  /// Places files, and looks at each once more.
  ///
  /// - Returns: What another program has changed or removed since, and the stamps of all.
  private func place(
    _ files: Ledger, _ pages: Ledger, _ drafts: [Draft]
  ) throws -> (Ledger, OutputStamps) {
    // Others see a file only when it has its name, and what they write to it is younger.
    let moment = FileStamp.now()
    var placed: [Before?] = Array(repeating: nil, count: files.entries.count)
    let note = { (file: StagedFile) in
      guard let index = files.index(of: file.path) else { return }
      placed[index] = Before(
        digest: files.entries[index].digest, stamp: file.stamp, wasPlaced: true)
    }
    output.forgetShelves()
    try place(images: files.subtracting(pages), note)
    TestGate.pass("inside-publish") { cancellation.isCancelled }
    try checkMayGoOn()
    try place(pages: drafts.filter { files[$0.entry.path] != nil }, note)
    let (disturbed, stamps) = try changed(files, placed, since: moment)
    // They are counted when they are written for the last time.
    tally.count(\.written, -disturbed.entries.count)
    return (disturbed, stamps)
  }

  private func unsteady(_ files: Ledger) -> BuildFailure {
    let paths = files.entries.prefix(3).map { "\(output.path)/\($0.path)" }
    return .machine(
      Diagnostic(
        .error, .outputUnsteady,
        "another program writes to what is being published: \(paths.joined(separator: ", "))",
        help: "end that program, or choose another --output"))
  }

  private func checkMayGoOn() throws {
    try cancellation.check()
    try checkLocks()
  }

  /// What an earlier attempt of this build has placed was written, whatever a later one found.
  private func countUnchanged(of ledger: Ledger) {
    tally.count(\.unchanged, ledger.entries.count - tally.current.written)
  }

  /// - Throws: `LostImages` with all that pages contain and the store has lost.
  private func checkContained(in pages: [Site.Page]) throws {
    let lost = try Set(pages.flatMap(\.contained)).filter { try store.get($0) == nil }
    if !lost.isEmpty { throw LostImages(digests: lost) }
  }

  /// - Throws: `LostImages` when the page contains an image that the store has lost.
  func write(_ page: Site.Page, _ emit: ([UInt8]) throws -> Void) throws {
    try page.write(emit)
    for (number, digest) in page.contained.enumerated() {
      guard let bytes = try store.get(digest) else { throw LostImages(digests: [digest]) }
      guard let between = page.between else {
        try emit([UInt8](bytes))
        continue
      }
      try emit([UInt8](bytes.base64EncodedData()))
      try emit(Array(between[number].utf8))
    }
  }

  // MARK: What has to be done

  /// What is missing or not what it must be, and the stamp of each file that proves its bytes.
  ///
  /// - Throws: `output-not-ours` when someone else's file is in the way.
  private func changed(
    _ new: Ledger, _ before: [Before?], since moment: Int64
  ) throws -> (files: Ledger, stamps: OutputStamps) {
    var found = OutputStamps(ledger: StampedPaths.absent, files: [])
    found.files.reserveCapacity(new.entries.count)
    var changed: [Site.File] = []
    var foreign: [String] = []
    try queue.map(Chunks(of: new.entries.indices, size: 512)) { range in
      var paths = PathList()
      for entry in new.entries[range] { paths.append(entry.path) }
      var stamps: [FileStamp?] = Array(repeating: nil, count: range.count)
      var isFree = Array(repeating: false, count: range.count)
      output.sweep(
        paths, 0..<range.count, followingLinks: false, absent: { isFree[$0] = true },
        visit: { stamps[$0] = $1 })
      let states = try range.compactMap { index in
        let place = index - range.lowerBound
        return isFree[place]
          ? .changed(new.entries[index])
          : try state(of: new.entries[index], stamp: stamps[place], before: before[index])
      }
      return (states, stamps)
    } receive: { _, result in
      let (states, stamps) = try result.get()
      for stamp in stamps { found.add(stamp, since: moment) }
      for state in states {
        switch state {
        case .changed(let file): changed.append(file)
        case .foreign(let path): foreign.append(path)
        }
      }
    }
    foreign += try obstacles(to: changed)
    if let first = foreign.first {
      let others = foreign.count > 1 ? " and \(foreign.count - 1) more" : ""
      throw BuildFailure.machine(
        Diagnostic(
          .error, .outputNotOurs,
          "\(output.path)/\(first)\(others) would be overwritten, and sitegen did not write it",
          help: "choose another --output, move the file away, or take it over with --adopt"))
    }
    return (Ledger(changed), found)
  }

  /// What the last build left at a path.
  private struct Before {
    var digest: Digest
    /// Nil when nothing is known of it.
    var stamp: FileStamp?
    /// Whether it has been placed since the stamp was taken, which changes its time of change.
    var wasPlaced = false

    func has(_ stamp: FileStamp) -> Bool {
      guard var mine = self.stamp else { return false }
      if wasPlaced { mine.changed = stamp.changed }
      return mine == stamp
    }
  }

  /// For each new entry, what was there before; both ledgers are sorted, so one walk finds it.
  private func before(_ new: Ledger, old: Ledger, stamps: [FileStamp]?) -> [Before?] {
    let old = old.entries
    let stamps = stamps?.count == old.count ? stamps : nil
    var index = 0
    return new.entries.map { file in
      while index < old.count, old[index].precedes(file) { index += 1 }
      guard index < old.count, old[index].hasPath(of: file) else { return nil }
      return Before(digest: old[index].digest, stamp: stamps?[index])
    }
  }

  /// What has the name of a folder that is needed and is none, or is a link to one.
  private func obstacles(to files: [Site.File]) throws -> [String] {
    var folders: Set<Substring> = []
    for file in files {
      var folder = file.path[...]
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

  private enum State {
    case changed(Site.File)
    case foreign(String)
  }

  /// Nil when the file is there and as it must be.
  private func state(
    of file: Site.File, stamp: FileStamp?, before: Before?
  ) throws -> State? {
    guard let stamp else {
      // Nothing there, or something that is no file; a folder is nobody's to replace.
      let kind = try output.kind(of: file.path)
      let isFree = kind == nil || (kind != .folder && (before != nil || adopt))
      return isFree ? .changed(file) : .foreign(file.path)
    }
    if before == nil, !adopt { return .foreign(file.path) }
    if let before, before.has(stamp) {
      return before.digest == file.digest ? nil : .changed(file)
    }
    guard stamp.size == file.size else { return .changed(file) }
    return try output.open(beneath: file.path).digest() == file.digest ? nil : .changed(file)
  }

  /// The digests of files that get or lose a name, which changes the stamps of their other names.
  private func relinked(
    _ new: Ledger, _ before: [Before?], _ changed: Ledger, _ orphans: [Site.File]
  ) -> Set<Digest> {
    guard new.entries.contains(where: \.isAlias) || orphans.contains(where: \.isAlias) else {
      return []
    }
    var digests = Set((changed.entries + orphans).map(\.digest))
    for (file, before) in zip(new.entries, before) where file.isAlias {
      if let before, before.digest != file.digest { digests.insert(before.digest) }
    }
    return digests
  }

  // MARK: Doing it

  /// A file under its temporary name.
  struct Waiting: Sendable {
    var file: StagedFile
    var bytes: Int
    /// Of a blob.
    var digest: Digest?
  }

  private func place(images: [Site.File], _ note: (StagedFile) -> Void) throws {
    var lost: Set<Digest> = []
    for batch in Chunks(of: images, size: Self.batch) {
      var waiting: [Waiting] = []
      var failure: (any Error)?
      let halt = Cancellation()
      queue.map(
        Chunks(of: batch, size: 64), work: { stage($0, halt) },
        receive: { _, result in
          switch result {
          case .success(let staging):
            waiting += staging.files
            lost.formUnion(staging.lost)
            failure = failure ?? staging.failure
          case .failure(let error): failure = failure ?? error
          }
        })
      do {
        if let failure { throw failure }
        try output.sync()
        try checkMayGoOn()
      } catch {
        for next in waiting { output.discard(next.file) }
        throw error
      }
      try place(waiting, note)
    }
    if !lost.isEmpty { throw LostImages(digests: lost) }
  }

  /// What became of one chunk of images, also when staging ended early: nothing staged is lost.
  private struct Staging: Sendable {
    var files: [Waiting] = []
    var lost: [Digest] = []
    var failure: (any Error)?
  }

  /// - Parameters:
  ///   - images: One chunk of them.
  ///   - halt: Is told of a failure, and ends the other chunks.
  /// - Returns: What became of them.
  private func stage(_ images: ArraySlice<Site.File>, _ halt: Cancellation) -> Staging {
    var staging = Staging()
    for image in images where !halt.isCancelled {
      do {
        // Exports are for other programs, and some of those write into files.
        // Servers and copying programs tell versions by size and time, so what replaces a picture is new.
        let isFirst = try image.isAlias && output.kind(of: image.path) == nil
        let isOurs = image.isNamedByContent || isFirst
        if let file = try store.stage(
          image.digest, into: output, at: image.path, linking: isOurs)
        {
          staging.files.append(Waiting(file: file, bytes: Int(image.size), digest: image.digest))
        } else {
          staging.lost.append(image.digest)
        }
      } catch {
        staging.failure = error
        halt.cancel()
        break
      }
    }
    return staging
  }

  func place(_ waiting: [Waiting], _ note: (StagedFile) -> Void) throws {
    for (index, next) in waiting.enumerated() {
      do {
        note(try place(next))
        tally.count(\.written)
        tally.count(\.bytesOut, next.bytes)
      } catch {
        for next in waiting[index...] { output.discard(next.file) }
        throw error
      }
    }
  }

  /// - Returns: What was placed: a copy where there can be no link. The next sync is for it too, and no
  ///   page names it before.
  private func place(_ next: Waiting) throws -> StagedFile {
    do throws(FileError) {
      try output.place(next.file)
      return next.file
    } catch {
      guard next.file.isLink, let digest = next.digest else { throw error }
      guard let copy = try store.stage(digest, into: output, at: next.file.path) else {
        throw LostImages(digests: [digest])
      }
      try output.place(copy)
      return copy
    }
  }

  private func remove(_ orphans: [Site.File]) throws {
    let names = orphans.map(\.path).filter { $0 != Ledger.fileName }
    let (pages, pictures) = (
      names.filter { !$0.hasPrefix("assets/") }, names.filter { $0.hasPrefix("assets/") }
    )
    // In this order: who is killed here leaves no page that names a picture that is gone.
    for path in pages + pictures {
      if try output.removeOurs(path) { tally.count(\.removed) }
      // Also where an earlier build has removed the file and no more.
      try output.removeEmptyParents(of: path)
    }
  }

  // MARK: The ledger

  private func write(_ ledger: Ledger) throws {
    let staged = try output.stage(streamTo: Ledger.fileName) { try ledger.write($0) }
    try output.place(staged)
    try output.sync()
  }
}
