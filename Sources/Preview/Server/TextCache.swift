import Files

/// Texts as they were sent last, so that a page is not read and compressed for each request.
///
/// A key names its bytes: the file's tag, the injected revision and the compression. So no entry is
/// ever wrong; an old one is only not asked for any more.
final class TextCache: Sendable {
  struct Key: Hashable, Sendable {
    let path: String
    let tag: EntityTag
    /// Nil where nothing is injected.
    let revision: Int?
    let isGzip: Bool
  }

  /// How many bytes it may hold.
  private let limit: Int
  private let state = Guarded(State())

  private struct State {
    var entries: [Key: (body: ReplyBody, lastUse: UInt64)] = [:]
    var size = 0
    var uses: UInt64 = 0
  }

  init(limit: Int = 16 << 20) {
    self.limit = limit
  }

  subscript(key: Key) -> ReplyBody? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.body
    }
  }

  func keep(_ body: ReplyBody, for key: Key) {
    // No more than is left when the oldest make room.
    guard body.count <= limit / 2 else { return }
    state.withLock { state in
      guard state.entries[key] == nil else { return }
      state.entries[key] = (body, state.uses)
      state.size += body.count
      guard state.size > limit else { return }
      // Down to half, so that not every new entry sorts all of them.
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        if state.size <= limit / 2 { break }
        state.entries[key] = nil
        state.size -= entry.body.count
      }
    }
  }
}
