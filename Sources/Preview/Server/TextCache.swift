import Files

/// Texts as they were sent last, so that no page is read and compressed for each request.
///
/// A key names its bytes: the file's tag, the revision that was injected, and the packing. So nothing
/// in it is ever wrong, only no longer asked for.
final class TextCache: Sendable {
  struct Key: Hashable, Sendable {
    let path: String
    let tag: EntityTag
    /// Nil where nothing is injected.
    let revision: Int?
    let isPacked: Bool
  }

  private let limit: Int
  private let state = Guarded(State())

  private struct State {
    var entries: [Key: (bytes: Bytes, lastUse: UInt64)] = [:]
    var size = 0
    var uses: UInt64 = 0
  }

  /// - Parameter limit: How many bytes it may hold.
  init(limit: Int = 16 << 20) {
    self.limit = limit
  }

  /// What is kept, or else what is made now: by several at once, if they ask at once.
  func bytes<Failure: Error>(
    _ key: Key, make: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bytes {
    if let kept = kept(key) { return kept }
    let made = Bytes(try make())
    keep(made, for: key)
    return made
  }

  /// How many bytes it holds.
  var size: Int { state.withLock { $0.size } }

  /// Nil when it must be made.
  func kept(_ key: Key) -> Bytes? {
    state.withLock { state in
      state.uses += 1
      guard let entry = state.entries[key] else { return nil }
      state.entries[key]?.lastUse = state.uses
      return entry.bytes
    }
  }

  private func keep(_ bytes: Bytes, for key: Key) {
    // As much as is left when the oldest make room.
    guard bytes.count <= limit / 2 else { return }
    state.withLock { state in
      guard state.entries[key] == nil else { return }
      state.entries[key] = (bytes, state.uses)
      state.size += bytes.count
      guard state.size > limit else { return }
      // Down to half, so that the search is not made for each new entry.
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        if state.size <= limit / 2 { break }
        state.entries[key] = nil
        state.size -= entry.bytes.count
      }
    }
  }
}
