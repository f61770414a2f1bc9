import Files
import Store

/// Removes from the cache what the site does not show: the oldest first, and never what it shows.
///
/// What is removed costs time if it is wanted again; a picture that was fetched is then fetched again.
package struct Prune: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Seconds since it was written; 0 for everything that is not shown, negative for no limit.
    package var age: Int64
    /// Bytes of all that is kept, what is shown included; negative for no limit.
    package var bytes: Int64

    package init(age: Int64, bytes: Int64) {
      self.age = age
      self.bytes = bytes
    }
  }

  package struct Pruned: Hashable, Sendable {
    package var removed = 0
    package var removedBytes: Int64 = 0
    package var kept = 0
    package var keptBytes: Int64 = 0
  }

  private struct Blob {
    let store: BlobStore
    let entry: BlobStore.Entry
  }

  private let options: BuildOptions
  private let limits: Limits

  package init(_ options: BuildOptions, _ limits: Limits) {
    self.options = options
    self.limits = limits
  }

  package func run() throws(BuildFailure) -> Pruned {
    do {
      return try prune()
    } catch {
      throw BuildFailure(error, Cancellation())
    }
  }

  private func prune() throws -> Pruned {
    try BuildContext.refuseForeignCache(options)
    guard let cache = try? Folder(opening: options.cache) else { return Pruned() }
    // In the order in which a build takes them: what it is about to publish is not removed.
    let output = try? Folder(opening: options.output)
    let outputLock = try output.map { try BuildContext.lock($0, called: "output") }
    let cacheLock = try BuildContext.lock(cache, called: "cache")
    defer { withExtendedLifetime((outputLock, cacheLock)) {} }

    let shown = try output.map(Self.shown) ?? []
    var pruned = Pruned()
    var others: [Blob] = []
    for name in ["store", "originals"] where try cache.kind(of: name) == .folder {
      let store = try BlobStore(in: cache, called: name)
      for entry in try store.entries() {
        pruned.kept += 1
        pruned.keptBytes += entry.size
        if !shown.contains(entry.digest) { others.append(Blob(store: store, entry: entry)) }
      }
    }
    // Of those of one moment the first by name, so that nothing depends on the order of a folder.
    others.sort {
      ($0.entry.written, $0.entry.digest.hex) < ($1.entry.written, $1.entry.digest.hex)
    }
    let now = options.fetching.now
    for blob in others {
      let isOld = limits.age >= 0 && now - blob.entry.written >= limits.age
      let isTooMuch = limits.bytes >= 0 && pruned.keptBytes > limits.bytes
      // Those that follow are younger.
      guard isOld || isTooMuch else { break }
      try blob.store.remove(blob.entry.digest)
      pruned.kept -= 1
      pruned.keptBytes -= blob.entry.size
      pruned.removed += 1
      pruned.removedBytes += blob.entry.size
    }
    return pruned
  }

  /// Everything that the output has, and what its people's pictures are made of.
  private static func shown(by output: Folder) throws -> Set<Digest> {
    var shown = Set(try Ledger(in: output).entries.map(\.digest))
    guard try output.kind(of: "assets.json") == .file else { return shown }
    let bytes = try output.open(beneath: "assets.json").readBytes(upTo: 2 << 30)
    // As it is written; a name cannot look like it, since its quotes have a backslash before them.
    let mark = Array("\"sourceSHA256\":\"".utf8)
    var position = 0
    while position + mark.count + 64 <= bytes.count {
      guard bytes[position] == mark[0], bytes[position..<position + mark.count].elementsEqual(mark)
      else {
        position += 1
        continue
      }
      position += mark.count
      if let digest = Digest(hex: String(decoding: bytes[position..<position + 64], as: UTF8.self))
      {
        shown.insert(digest)
      }
    }
    return shown
  }
}
