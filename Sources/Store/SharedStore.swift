package import Bytes
import Files
package import Foundation

/// A folder that several machines share: what any of them has made, by the digest of what it was
/// made from.
///
/// Its files are named as in Bazel's cache protocol, so that a web server can serve it. Whoever can
/// write there decides what stands in it, so whoever reads checks everything. No failure is thrown:
/// without the store all is made here.
package final class SharedStore: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case read, write, readwrite
  }

  /// Where it is, and what is done with it.
  package struct Location: Hashable, Sendable {
    /// A path that begins with `dir:`.
    package var address: String
    package var mode: Mode

    package init(_ address: String, mode: Mode = .read) {
      self.address = address
      self.mode = mode
    }

    /// The folder; nil for an address of another kind.
    package var path: String? {
      address.hasPrefix("dir:") && address.utf8.count > 4 ? String(address.dropFirst(4)) : nil
    }
  }

  /// The largest object; a larger one is damage.
  private static let sizeLimit = 128 << 20
  /// After so many failures, one after the other, it is left alone.
  private static let patience = 8

  private struct State {
    var failures = 0
    var words: String?
    var isGivenUp = false
  }

  private let folder: Folder?
  private let mode: Mode
  private let state: Guarded<State>

  /// Opens a folder that is there: one that is made could be that of a disk that is not mounted.
  package init(_ location: Location) {
    mode = location.mode
    var state = State()
    do throws(FileError) {
      folder = try Folder(opening: location.path ?? "").folder(
        "ac", making: mode != .read, shelves: min(256, DescriptorLimit.current / 4))
    } catch {
      // A store that nobody has written to has nothing to read.
      if error.reason != .notFound || (try? Folder(opening: location.path ?? "")) == nil {
        state = State(words: "\(location.address): \(error.explanation)", isGivenUp: true)
      }
      folder = nil
    }
    self.state = Guarded(state)
  }

  /// Why it was of no use, or not always; nil if nothing failed.
  package var failure: String? { state.withLock { $0.words } }

  package func get(_ key: Digest) -> Data? {
    guard mode != .write else { return nil }
    return attempt { (folder) throws(FileError) in
      do throws(FileError) {
        return try folder.open(beneath: BlobStore.name(of: key), followingLinks: false)
          .read(upTo: Self.sizeLimit)
      } catch  where error.reason == .notFound {
        return nil
      }
    }
  }

  /// Keeps an object, and says whether that worked.
  ///
  /// Equal keys have equal objects, so the last one counts.
  package func put(_ bytes: Data, as key: Digest) -> Bool {
    // Nobody could read a larger one.
    guard mode != .read, bytes.count <= Self.sizeLimit else { return false }
    return attempt { (folder) throws(FileError) in
      try folder.write(bytes, to: BlobStore.name(of: key))
      return true
    } ?? false
  }

  /// Whoever has put it there lies, or a disk does.
  package func distrust(_ key: Digest) {
    state.withLock { $0.words = $0.words ?? "an object is not what its key stands for: \(key.hex)" }
  }

  private func attempt<Value>(_ body: (Folder) throws(FileError) -> Value?) -> Value? {
    guard let folder, !state.withLock({ $0.isGivenUp }) else { return nil }
    do throws(FileError) {
      let value = try body(folder)
      state.withLock { $0.failures = 0 }
      return value
    } catch {
      state.withLock { state in
        state.failures += 1
        state.words = state.words ?? error.explanation
        state.isGivenUp = state.failures >= Self.patience
      }
      return nil
    }
  }
}
