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

  /// So many images are staged, synced and placed at a time: enough to make a sync cheap, few
  /// enough to keep their names in memory.
  private static let batch = 16384

  package init(
    output: Folder, store: BlobStore, queue: WorkQueue, tally: Tally, cancellation: Cancellation,
    adopt: Bool
  ) {
    self.output = output
    self.store = store
    self.queue = queue
    self.tally = tally
    self.cancellation = cancellation
    self.adopt = adopt
  }

  /// Where nothing is known of the last time, and nobody asks what is there now.
  package func publish(_ site: Site) throws { _ = try publish(site, standing: nil) }

  /// - Parameters:
  ///   - site: What shall be there.
  ///   - standing: What the last build left, if anything is known of it.
  /// - Throws: `LostImages` when the store has damaged bytes; nothing that is visible has changed
  ///   then, and publishing again after rendering them completes the site.
  /// - Returns: What is there now and ours.
  func publish(_ site: Site, standing: UpToDateCheck?) throws -> Result {
    let moment = FileStamp.now()
    let ledgerStamp = try output.stamp(of: Ledger.fileName, followingLinks: false)
    let old = try Ledger(in: output, sharing: site.images.lazy.map(\.path))
    try checkContained(in: site.pages)
    let drafts = try draft(site.pages, old: old)
    let images = site.images.map { Ledger.Entry(path: $0.path, size: $0.bytes, digest: $0.digest) }
    let new = Ledger(images).merging(Ledger(drafts.map(\.entry)))
    let isSameLedger = standing?.ledgerStamp == ledgerStamp
    let before = before(new, old: old, standing: isSameLedger ? standing : nil)
    // Nothing else is asked of the old ledger: it may go before the heavy part begins.
    let orphans = old.subtracting(new)
    let isClaimed = old == new
    let (changed, stamps) = try changed(new, before)
    if changed.isEmpty && orphans.isEmpty && isClaimed {
      countUnchanged(of: new)
      return Result(ledger: new, changed: [], stamps: stamps + [ledgerStamp], moment: moment)
    }

    try cancellation.check()
    try write(Ledger(orphans).merging(new))
    try place(images: site.images.filter { changed.contains($0.path) })
    TestGate.pass("inside-publish") { cancellation.isCancelled }
    try cancellation.check()
    try place(pages: drafts.filter { changed.contains($0.entry.path) })
    // From here on the new site stands: finishing is quicker than explaining half of it.
    try remove(orphans)
    try write(new)
    countUnchanged(of: new)
    return Result(
      ledger: new, changed: changed.union(orphans.map(\.path)), stamps: nil, moment: moment)
  }

  /// What is there now and ours.
  struct Result {
    var ledger: Ledger
    /// The paths of what was written, and of what was removed.
    var changed: Set<String>
    /// Of the files of the ledger and of the ledger itself, as they were when each was found to be
    /// right; nil when something was written, whose stamps would be too young to be believed.
    var stamps: [FileStamp?]?
    /// Before the first stamp was taken.
    var moment: Int64
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
    for digest in page.contained {
      guard let bytes = try store.get(digest) else { throw LostImages(digests: [digest]) }
      try emit([UInt8](bytes))
    }
  }

  // MARK: What has to be done

  /// The paths whose file is missing or not what it must be.
  ///
  /// - Throws: `output-not-ours` when someone else's file is in the way.
  private func changed(
    _ new: Ledger, _ before: [Before?]
  ) throws -> (paths: Set<String>, stamps: [FileStamp?]) {
    var found: [FileStamp?] = []
    found.reserveCapacity(new.entries.count)
    var changed: Set<String> = []
    var foreign: [String] = []
    try queue.map(Chunks(of: new.entries.indices, size: 512), as: .publish) { range in
      var paths = PathList()
      for entry in new.entries[range] { paths.append(entry.path) }
      var stamps: [FileStamp?] = Array(repeating: nil, count: range.count)
      output.sweep(paths, 0..<range.count, followingLinks: false) { stamps[$0] = $1 }
      let states = try range.compactMap { index in
        try state(
          of: new.entries[index], stamp: stamps[index - range.lowerBound], before: before[index])
      }
      return (states, stamps)
    } receive: { _, result in
      let (states, stamps) = try result.get()
      found += stamps
      for state in states {
        switch state {
        case .changed(let path): changed.insert(path)
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
    return (changed, found)
  }

  /// What the last build left at a path.
  private struct Before {
    var digest: Digest
    /// Nil when nothing is known of it.
    var stamp: FileStamp?
  }

  /// For each new entry, what was there before; both ledgers are sorted, so one walk finds it.
  ///
  /// Stamps say nothing when the ledger is not the one they were taken with: a build that was
  /// killed has claimed digests for files that it never placed.
  private func before(_ new: Ledger, old: Ledger, standing: UpToDateCheck?) -> [Before?] {
    var index = 0
    return new.entries.map { entry in
      while index < old.entries.count, old.entries[index].path < entry.path { index += 1 }
      guard index < old.entries.count, old.entries[index].path == entry.path else { return nil }
      return Before(
        digest: old.entries[index].digest, stamp: standing?.outputStamp(index, path: entry.path))
    }
  }

  /// What has the name of a folder that is needed and is none, or is a link to one.
  private func obstacles(to paths: Set<String>) throws -> [String] {
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

  private enum State {
    case changed(String)
    case foreign(String)
  }

  /// Nil when the file is there and as it must be.
  private func state(
    of entry: Ledger.Entry, stamp: FileStamp?, before: Before?
  ) throws -> State? {
    guard let stamp else {
      // Nothing there, or something that is no file; a folder is nobody's to replace.
      let kind = try output.kind(of: entry.path)
      let isFree = kind == nil || (kind != .folder && (before != nil || adopt))
      return isFree ? .changed(entry.path) : .foreign(entry.path)
    }
    if before == nil, !adopt { return .foreign(entry.path) }
    if let before, stamp == before.stamp {
      return before.digest == entry.digest ? nil : .changed(entry.path)
    }
    guard stamp.size == entry.size else { return .changed(entry.path) }
    var stream = DigestStream()
    let file = try output.open(beneath: entry.path)
    var offset: Int64 = 0
    while true {
      let chunk = try file.readChunk(at: offset)
      if chunk.isEmpty { break }
      stream.update(chunk)
      offset += Int64(chunk.count)
    }
    return stream.finish() == entry.digest ? nil : .changed(entry.path)
  }

  // MARK: Doing it

  /// A file under its temporary name.
  struct Waiting: Sendable {
    var file: StagedFile
    var bytes: Int
  }

  private func place(images: [Site.Image]) throws {
    var lost: Set<Digest> = []
    for batch in Chunks(of: images, size: Self.batch) {
      var waiting: [Waiting] = []
      var failure: (any Error)?
      let halt = Cancellation()
      queue.map(
        Chunks(of: batch, size: 64), as: .publish, work: { stage($0, halt) },
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
        try cancellation.check()
        try output.sync()
      } catch {
        for next in waiting { output.discard(next.file) }
        throw error
      }
      try place(waiting)
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
  private func stage(_ images: ArraySlice<Site.Image>, _ halt: Cancellation) -> Staging {
    var staging = Staging()
    for image in images where !halt.isCancelled {
      do {
        if let file = try store.stage(image.digest, into: output, at: image.path) {
          staging.files.append(Waiting(file: file, bytes: Int(image.bytes)))
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

  func place(_ waiting: [Waiting]) throws {
    for (index, next) in waiting.enumerated() {
      do {
        try output.place(next.file)
        tally.count(\.written)
        tally.count(\.bytesOut, next.bytes)
      } catch {
        for next in waiting[index...] { output.discard(next.file) }
        throw error
      }
    }
  }

  private func remove(_ orphans: [Ledger.Entry]) throws {
    for orphan in orphans where orphan.path != Ledger.fileName {
      guard try output.removeOurs(orphan.path) else { continue }
      tally.count(\.removed)
      try output.removeEmptyParents(of: orphan.path)
    }
  }

  // MARK: The ledger

  private func write(_ ledger: Ledger) throws {
    let staged = try output.stage(streamTo: Ledger.fileName) { try ledger.write($0) }
    try output.place(staged)
    try output.sync()
  }
}
