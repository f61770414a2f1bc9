import Bytes
import Files
import Foundation
import Plan
import Store
import Workers

/// Pages are generated twice: first to compute their digests, then to write those that have
/// changed. The bytes of changed pages are kept in memory in between, up to a limit.
extension Publisher {
  struct Draft: Sendable {
    var page: Site.Page
    var entry: Site.File
    /// The page's bytes; nil if the page is unchanged or must be generated again.
    var pieces: [[UInt8]]?
  }

  func draft(_ pages: [Site.Page], old: Ledger) throws -> [Draft] {
    var drafts: [Draft] = []
    var room = keptBytes
    try queue.map(pages) {
      try draft($0, old)
    } receive: { _, draft in
      var draft = try draft.get()
      if draft.pieces != nil {
        if draft.entry.size <= room { room -= Int(draft.entry.size) } else { draft.pieces = nil }
      }
      drafts.append(draft)
    }
    return drafts
  }

  private func draft(_ page: Site.Page, _ old: Ledger) throws -> Draft {
    var stream = DigestStream()
    var size = 0
    var kept: [[UInt8]]? = []
    try write(page) { bytes in
      stream.update(bytes)
      size += bytes.count
      if size <= keptBytes { kept?.append(bytes) } else { kept = nil }
    }
    let entry = Site.File(path: page.path, size: Int64(size), digest: stream.finish())
    if old[entry.path]?.digest == entry.digest { kept = nil }
    return Draft(page: page, entry: entry, pieces: kept)
  }

  private func write(_ page: Site.Page, _ emit: ([UInt8]) throws -> Void) throws {
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

  private struct Waiting: Sendable {
    var file: StagedFile
    var bytes: Int64
    var digest: Digest?
  }

  /// The number of files per sync: enough to make syncs cheap, but few enough to limit memory use.
  private static let batch = 16384

  /// Publishes images first, then pages, and returns the published files' stamps, keyed by path.
  func place(_ files: Ledger, _ pages: Ledger, _ drafts: [Draft]) throws -> [String: FileStamp] {
    output.closeDirectories()
    var stamps: [String: FileStamp] = [:]
    try place(files.subtracting(pages), by: Self.batch, &stamps) { try stage($0) }
    TestGate.pass("inside-publish") { cancellation.isCancelled }
    try checkMayGoOn()
    // Publish all pages in one batch, so that a cancelled build does not mix old and new pages.
    try place(drafts.filter { files[$0.entry.path] != nil }, by: .max, &stamps) { try stage($0) }
    try output.sync()
    return stamps
  }

  private func place<Item: Sendable>(
    _ items: [Item], by size: Int, _ stamps: inout [String: FileStamp],
    stage: @escaping @Sendable (Item) throws -> Waiting
  ) throws {
    for batch in items.chunks(of: max(1, min(size, items.count))) {
      var waiting: [Waiting] = []
      var lost: Set<Digest> = []
      var failure: (any Error)?
      queue.map(batch, work: stage) { _, result in
        switch result {
        case .success(let next): waiting.append(next)
        case .failure(let error as LostImages): lost.formUnion(error.digests)
        case .failure(let error): failure = failure ?? error
        }
      }
      var placed = 0
      do {
        if let failure { throw failure }
        if !lost.isEmpty { throw LostImages(digests: lost) }
        try output.sync()
        try checkMayGoOn()
        for next in waiting {
          let file = try place(next)
          stamps[file.path] = file.stamp
          placed += 1
          tally.count(\.written)
          tally.count(\.bytesOut, Int(next.bytes))
        }
      } catch {
        for next in waiting[placed...] { output.discard(next.file) }
        throw error
      }
    }
  }

  private func stage(_ image: Site.File) throws -> Waiting {
    // Do not hard-link exports, because other programs may change them. Copy replaced aliases, so
    // that servers and sync tools, which compare sizes and times, notice the change.
    let isFirst = try image.isAlias && output.kind(of: image.path) == nil
    guard
      let file = try store.stage(
        image.digest, into: output, at: image.path, linking: image.isNamedByContent || isFirst)
    else { throw LostImages(digests: [image.digest]) }
    return Waiting(file: file, bytes: image.size, digest: image.digest)
  }

  private func stage(_ draft: Draft) throws -> Waiting {
    let file = try output.stage(streamTo: draft.page.path) { emit in
      guard let pieces = draft.pieces else { return try write(draft.page) { try emit($0) } }
      for piece in pieces { try emit(piece) }
    }
    return Waiting(file: file, bytes: draft.entry.size)
  }

  /// Publishes a file, or a copy of its blob if the file system rejects hard links.
  ///
  /// The copy is included in the next sync, which runs before any page refers to it.
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
}
