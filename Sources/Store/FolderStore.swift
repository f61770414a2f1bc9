import Bytes
import Files
package import Foundation

/// A folder that several machines see, such as one on NFS.
///
/// It is opened where it is there: one that is made could be that of a disk that is not mounted.
package final class FolderStore: ObjectStore {
  package let address: String
  private let root: Folder
  private let shelves: Guarded<[StoredObject.Shelf: Folder]> = Guarded([:])

  package init(_ path: String) throws(ObjectStoreFailure) {
    address = "dir:\(path)"
    root = try Self.attempt { () throws(FileError) in try Folder(opening: path) }
  }

  package func get(_ object: StoredObject) throws(ObjectStoreFailure) -> Data? {
    try present { () throws(FileError) in
      let shelf = try shelf(object.shelf)
      do throws(FileError) {
        return try shelf.open(
          beneath: BlobStore.name(of: object.key), followingLinks: false
        ).read(upTo: StoredObject.sizeLimit)
      } catch  where [.tooLarge, .linked, .notRegular].contains(error.reason) {
        // Damage, of which asking later would bring the same.
        return nil
      }
    }
  }

  package func has(_ object: StoredObject) throws(ObjectStoreFailure) -> Bool {
    try present { () throws(FileError) in
      try shelf(object.shelf).kind(of: BlobStore.name(of: object.key)) == .file
    } ?? false
  }

  package func put(_ bytes: Data, as object: StoredObject) throws(ObjectStoreFailure) {
    try Self.attempt { () throws(FileError) in
      try shelf(object.shelf, making: true).write(bytes, to: BlobStore.name(of: object.key))
    }
  }

  /// A file of the store: an object, or what a killed writer has left.
  package struct Entry {
    package var object: StoredObject?
    package var size: Int64
    /// When it was last read or written, in seconds since 1970.
    package var used: Int64
  }

  /// Removes the files for which `isUseless` is true; files of others are left out.
  package func sweep(_ isUseless: (Entry) throws -> Bool) throws {
    for shelf in StoredObject.Shelf.allCases {
      guard let folder = try present({ () throws(FileError) in try self.shelf(shelf) }) else {
        continue
      }
      for letters in try folder.entries() where letters.kind == .folder {
        for file in try folder.entries(of: letters.path) where file.kind == .file {
          let key = BlobStore.digest(at: file.path)
          guard key != nil || file.name.hasPrefix(StagedFile.prefix),
            let (size, used) = try folder.lastUse(of: file.path)
          else { continue }
          let object = key.map { StoredObject(shelf: shelf, key: $0) }
          if try isUseless(Entry(object: object, size: size, used: used)) {
            _ = try folder.remove(file.path)
          }
        }
      }
    }
  }

  private func shelf(
    _ shelf: StoredObject.Shelf, making: Bool = false
  ) throws(FileError) -> Folder {
    if let open = shelves.withLock({ $0[shelf] }) { return open }
    let open = try root.folder(
      shelf.rawValue, making: making, shelves: min(256, DescriptorLimit.current / 8))
    shelves.withLock { $0[shelf] = open }
    return open
  }

  /// Nil where nothing is; a store that nobody has written to has no shelves.
  private func present<Value>(
    _ body: () throws(FileError) -> Value?
  ) throws(ObjectStoreFailure) -> Value? {
    try Self.attempt { () throws(FileError) in
      do throws(FileError) {
        return try body()
      } catch  where error.reason == .notFound {
        return nil
      }
    }
  }

  /// A disk that was away may come back, and a full one may be swept.
  private static func attempt<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(ObjectStoreFailure) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw ObjectStoreFailure(error.explanation, isLasting: error.reason == .denied)
    }
  }
}
