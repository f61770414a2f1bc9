package import Bytes
import Files
package import Foundation
import Glibc

/// A folder shared by machines, for example on NFS, with one file per render job or fetched URL.
///
/// 1. A file starts with a version line, the SHA-256 of the header, and the header as one JSON
///    line. The parts follow; the header contains the size and SHA-256 of each part.
/// 2. Anyone with write access to the folder controls the site's contents. So a reader verifies
///    every byte, and treats a damaged file as missing.
/// 3. Methods do not throw: a failing store slows the build down, but does not make it fail.
package final class SharedStore: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case read, write, readwrite

    package var reads: Bool { self != .write }
    package var writes: Bool { self != .read }
  }

  package struct Location: Hashable, Sendable {
    package var path: String
    package var mode: Mode

    package init(_ path: String, mode: Mode = .read) {
      (self.path, self.mode) = (path, mode)
    }
  }

  package struct Problems: Hashable, Sendable {
    package var unusable: String?
    package var damaged = 0
    package var names: [String] = []
    package var unwritten: String?
    /// Consecutive failures; writing stops after a few, because a write may wait for the network.
    fileprivate var failedWrites = 0
  }

  static let sizeLimit = 128 << 20
  /// The maximum header size; a person with hundreds of images needs far less.
  private static let headerLimit = 1 << 20
  private static let magic = "sitegen-store 1\n"

  package let mode: Mode
  private let folder: Folder?
  private let found: Locked<Problems>

  /// Opens a store without creating a missing folder, which could be an unmounted disk.
  package init(_ location: Location) {
    mode = location.mode
    var problems = Problems()
    do throws(FileError) {
      folder = try Folder(opening: location.path)
    } catch {
      folder = nil
      problems.unusable = error.explanation
    }
    found = Locked(problems)
  }

  package var problems: Problems { found.withLock { $0 } }

  private static func name<Header: StoreHeader>(_ key: Digest, _: Header.Type) -> String {
    "\(Header.folder)/\(BlobStore.name(of: key))"
  }
}

package protocol StoreHeader: Codable, Sendable {
  static var folder: String { get }
  /// The record's key, stored in the file because an intact file may have the wrong name.
  var key: String { get }
  var parts: [(bytes: Int, sha256: String)] { get }
}

extension SharedStore {
  package func get<Header: StoreHeader>(
    _ key: Digest, as type: Header.Type
  ) -> (header: Header, parts: [Data])? {
    guard mode.reads, let folder else { return nil }
    let name = Self.name(key, type)
    do throws(FileError) {
      let file = try folder.open(beneath: name, followingLinks: false)
      if let found = Self.parse(try file.read(upTo: Self.sizeLimit), key, type) {
        // Prevent the file from being pruned.
        if mode.writes { try? folder.touch(name) }
        return found
      }
    } catch  where error.reason == .notFound || error.code == ESTALE {
      return nil
    } catch {
    }
    distrust(key, type)
    return nil
  }

  package func distrust<Header: StoreHeader>(_ key: Digest, _ type: Header.Type) {
    found.withLock { problems in
      problems.damaged += 1
      if problems.names.count < 3 { problems.names.append(Self.name(key, type)) }
    }
  }

  /// Marks a file as used; returns false if it is missing.
  package func touch<Header: StoreHeader>(_ key: Digest, as type: Header.Type) -> Bool {
    guard mode.writes, let folder else { return true }
    do throws(FileError) {
      try folder.touch(Self.name(key, type))
      return true
    } catch {
      return error.reason != .notFound
    }
  }

  @discardableResult
  package func put(_ header: some StoreHeader, _ parts: [Data], as key: Digest) -> Bool {
    guard mode.writes, let folder, found.withLock({ $0.failedWrites < 8 }),
      let bytes = Self.bytes(header, parts)
    else { return false }
    do throws(FileError) {
      try folder.write(bytes, to: Self.name(key, type(of: header)))
      found.withLock { $0.failedWrites = 0 }
      return true
    } catch {
      found.withLock { problems in
        problems.unwritten = problems.unwritten ?? error.explanation
        problems.failedWrites += 1
      }
      return false
    }
  }
}

extension SharedStore {
  /// Returns the file's bytes, or nil if they exceed the size limit.
  static func bytes(_ header: some StoreHeader, _ parts: [Data]) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding cannot fail: the header does not contain NaN or infinite numbers.
    guard let line = try? encoder.encode(header) else { return nil }
    let start = Data((magic + Digest(of: line).hex + "\n").utf8)
    let bytes = Data(joining: [start, line, Data([UInt8(ascii: "\n")])] + parts)
    return bytes.count <= sizeLimit ? bytes : nil
  }

  package static func parse<Header: StoreHeader>(
    _ bytes: Data, _ key: Digest, _ type: Header.Type
  ) -> (header: Header, parts: [Data])? {
    var rest = bytes[...]
    func line() -> Data? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return Data(rest[..<end])
    }
    guard line() == Data(magic.utf8.dropLast()), let digest = line(), let text = line(),
      text.count <= headerLimit, Data(Digest(of: text).hex.utf8) == digest,
      let header = try? JSONDecoder().decode(type, from: text), header.key == key.hex
    else { return nil }
    var parts: [Data] = []
    for part in header.parts {
      guard (0...rest.count).contains(part.bytes) else { return nil }
      // Copy the part, because a slice would keep the whole file in memory.
      let bytes = Data(rest.prefix(part.bytes))
      guard Digest(of: bytes).hex == part.sha256 else { return nil }
      rest = rest.dropFirst(part.bytes)
      parts.append(bytes)
    }
    return rest.isEmpty ? (header, parts) : nil
  }
}

extension SharedStore {
  package struct Pruned: Hashable, Sendable {
    package var removed = 0
    package var removedBytes: Int64 = 0
    package var kept = 0
    package var keptBytes: Int64 = 0

    package init() {}
  }

  /// Removes files not used since `moment`, in seconds since 1970; keeps other programs' files.
  ///
  /// A dry run only counts the files. `check` is called for each file and can throw to cancel.
  package static func prune(
    _ path: String, unusedSince moment: Int64, dryRun: Bool, check: () throws -> Void
  ) throws -> Pruned {
    let root = try Folder(opening: path)
    var pruned = Pruned()
    for kind in ["images", "answers"] where try root.kind(of: kind) == .folder {
      let folder = try root.folder(kind)
      for letters in try folder.entries() where letters.kind == .folder {
        for file in try folder.entries(of: letters.path) where file.kind == .file {
          try check()
          let isTemporary = file.name.hasPrefix(StagedFile.prefix)
          guard isTemporary || BlobStore.digest(at: file.path) != nil,
            let stamp = try folder.stamp(of: file.path, followingLinks: false)
          else { continue }
          // Another process may still be writing a temporary file.
          let limit = isTemporary ? min(moment, FileStamp.now() / 1_000_000_000 - 86_400) : moment
          if stamp.modified / 1_000_000_000 > limit {
            pruned.kept += 1
            pruned.keptBytes += stamp.size
          } else if try dryRun || folder.remove(file.path) {
            pruned.removed += 1
            pruned.removedBytes += stamp.size
          }
        }
      }
    }
    return pruned
  }
}
