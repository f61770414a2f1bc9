import Bytes
import Files
import Plan

/// Pages are made twice: once to learn what they are, and those that changed once more to be
/// written, unless there is room to keep them in between. A very large one is written at once.
extension Publisher {
  struct Draft {
    var page: Site.Page
    var entry: Site.File
    /// What was written, if it is kept: else it is written again.
    var bytes: [UInt8]?
  }

  /// Ends the first run of a page that is written at once.
  private struct IsLarge: Error {}

  /// Bytes of one page, and of all pages together, that are kept from the first run for the second.
  private static let keptOfOne = 1 << 18
  private static let keptOfAll = 1 << 24

  /// Bytes from which on a page is written at once: making a million of JSON takes long.
  private static let largeSize: Int64 = 1 << 20

  /// Runs each page once to learn its digest; of those that changed, many are kept, and the others
  /// are written in a second run.
  func draft(_ pages: [Site.Page], old: Ledger) throws -> [Draft] {
    var drafts: [Draft] = []
    var room = Self.keptOfAll
    try queue.map(pages) { page in
      var draft: Draft?
      do {
        return try self.draft(page, old) { size, _ in
          // A folder is made only after it was claimed.
          if size > Self.largeSize, !page.path.contains("/") { throw IsLarge() }
        }
      } catch is IsLarge {
        let file = try? output.stage(streamTo: page.path) { write in
          draft = try self.draft(page, old) { try write($1) }
        }
        if let file { early.withLock { $0[page.path] = file } }
      }
      // On a full disk an unchanged page is no reason to fail.
      return try draft ?? self.draft(page, old) { _, _ in }
    } receive: { _, draft in
      var draft = try draft.get()
      if let bytes = draft.bytes {
        if bytes.count <= room { room -= bytes.count } else { draft.bytes = nil }
      }
      drafts.append(draft)
    }
    return drafts
  }

  /// `emit` gets the size so far, and the next bytes.
  private func draft(
    _ page: Site.Page, _ old: Ledger, _ emit: (Int64, [UInt8]) throws -> Void
  ) throws -> Draft {
    var stream = DigestStream()
    var size: Int64 = 0
    var kept: [UInt8]? = []
    try write(page) { bytes in
      stream.update(bytes)
      size += Int64(bytes.count)
      if size <= Self.keptOfOne { kept?.append(contentsOf: bytes) } else { kept = nil }
      try emit(size, bytes)
    }
    let entry = Site.File(path: page.path, size: size, digest: stream.finish())
    if old[entry.path]?.digest == entry.digest { kept = nil }
    return Draft(page: page, entry: entry, bytes: kept)
  }

  func place(pages: [Draft], _ note: (StagedFile) -> Void) throws {
    var waiting: [Waiting] = []
    var failure: (any Error)?
    let halt = Cancellation()
    queue.map(
      pages, work: { try stage($0, halt) },
      receive: { _, result in
        switch result {
        case .success(let next): if let next { waiting.append(next) }
        case .failure(let error): failure = failure ?? error
        }
      })
    do {
      if let failure { throw failure }
      try output.sync()
      try checkLocks()
    } catch {
      for next in waiting { output.discard(next.file) }
      throw error
    }
    try place(waiting, note)
    try output.sync()
  }

  /// - Parameters:
  ///   - draft: Of the page.
  ///   - halt: Is told of a failure, and keeps the other pages from being written.
  /// - Throws: What writing throws.
  /// - Returns: Nil when there is no use in it: another page has failed.
  private func stage(_ draft: Draft, _ halt: Cancellation) throws -> Waiting? {
    guard !halt.isCancelled else { return nil }
    if let file = early.withLock({ $0.removeValue(forKey: draft.page.path) }) {
      return Waiting(file: file, bytes: Int(draft.entry.size))
    }
    do {
      let file = try output.stage(streamTo: draft.page.path) { write in
        if let bytes = draft.bytes { return try write(bytes) }
        try self.write(draft.page) { try write($0) }
      }
      return Waiting(file: file, bytes: Int(draft.entry.size))
    } catch {
      halt.cancel()
      throw error
    }
  }
}
