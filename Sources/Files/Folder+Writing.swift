import CLinux
package import Foundation
import Glibc

// All methods in this extension fail if a path contains a symlink.
extension Folder {
  /// Writes a file atomically via a temporary file, without `fsync`; creates missing folders.
  package func write(_ bytes: Data, to name: String, mode: UInt32 = 0o666) throws(FileError) {
    try place(stage(bytes, to: name, mode: mode))
  }

  package func write(_ bytes: [UInt8], to name: String) throws(FileError) {
    try write(Data(bytes), to: name)
  }

  /// Writes a temporary file in the target's folder; `place` or `discard` must follow.
  package func stage(
    _ bytes: Data, to name: String, mode: UInt32 = 0o666
  ) throws(FileError) -> StagedFile {
    try stage(to: name, mode: mode) { (target) throws(FileError) in
      try target.write(unsafe bytes.span.bytes, path: shown(name))
    }
  }

  /// Streams to a temporary file in the target's folder; removes the file if `body` throws.
  package func stage(
    streamTo name: String, mode: UInt32 = 0o666,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws -> StagedFile {
    var other: (any Error)?
    let staged = try stage(to: name, mode: mode) { (target) throws(FileError) in
      do {
        try body { piece in
          try target.write(unsafe piece.span.bytes, path: shown(name))
        }
      } catch let error as FileError {
        throw error
      } catch {
        other = error
      }
    }
    guard let other else { return staged }
    discard(staged)
    throw other
  }

  /// Prepares a hard link to a file in another folder; `place` creates the link.
  package func stage(
    linkTo source: String, in folder: Folder, stamp: FileStamp, to name: String
  ) -> StagedFile {
    StagedFile(path: name, number: nextNumber(), link: (folder, source), stamp: stamp)
  }

  private func stage(
    to name: String, mode: UInt32, fill: (borrowing Descriptor) throws(FileError) -> Void
  ) throws(FileError) -> StagedFile {
    try withParent(of: name, making: true, keepingOpen: true) { (parent, _) throws(FileError) in
      while true {
        var staged = StagedFile(path: name, number: nextNumber())
        // An earlier process with the same ID may have left a file with this name.
        if let stamp = try create(
          staged.temporaryName, in: parent, mode: mode, shown: shown(name), fill)
        {
          staged.stamp = stamp
          return staged
        }
      }
    }
  }

  /// Moves a staged file to its final name; replaces an existing file or symlink.
  package func place(_ staged: StagedFile) throws(FileError) {
    do {
      try withParent(of: staged.path, making: staged.link != nil, keepingOpen: true) {
        (parent, last) throws(FileError) in
        if let source = staged.link, try link(source, staged, parent, last) { return }
        try call("place", shown(staged.path)) {
          unsafe renameat(parent, staged.temporaryName, parent, last)
        }
      }
    } catch {
      discard(staged)
      throw error
    }
  }

  /// Creates a hard link; if the name exists, uses the temporary name and returns false.
  private func link(
    _ source: (folder: Folder, name: String), _ staged: StagedFile, _ parent: Int32, _ last: String
  ) throws(FileError) -> Bool {
    try source.folder.withParent(of: source.name, keepingOpen: true) {
      (other, file) throws(FileError) in
      do throws(FileError) {
        try call("link", shown(staged.path)) { unsafe linkat(other, file, parent, last, 0) }
        return true
      } catch  where error.code == EEXIST {
        try call("link", shown(staged.path)) {
          unsafe linkat(other, file, parent, staged.temporaryName, 0)
        }
        return false
      }
    }
  }

  package func discard(_ staged: StagedFile) {
    // If this fails, the next run removes the file.
    try? withParent(of: staged.temporary, keepingOpen: true) { parent, last in
      _ = unsafe unlinkat(parent, last, 0)
    }
  }

  /// Creates a file directly under its final name; returns nil if the name exists.
  package func create(
    _ bytes: Data, at name: String, mode: UInt32 = 0o666
  ) throws(FileError) -> FileStamp? {
    try withParent(of: name, making: true, keepingOpen: true) { (parent, last) throws(FileError) in
      try create(last, in: parent, mode: mode, shown: shown(name)) { (target) throws(FileError) in
        try target.write(unsafe bytes.span.bytes, path: shown(name))
      }
    }
  }

  private func create(
    _ name: String, in parent: Int32, mode: UInt32, shown: @autoclosure () -> String,
    _ fill: (borrowing Descriptor) throws(FileError) -> Void
  ) throws(FileError) -> FileStamp? {
    let target: Descriptor
    do throws(FileError) {
      target = try Folder.open(
        parent, name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode, resolve: Folder.insideOnly,
        shown: shown())
    } catch  where error.code == EEXIST {
      return nil
    }
    do throws(FileError) {
      try fill(target)
      let stamp = FileStamp(try target.status(path: shown()))
      try target.close(path: shown())
      return stamp
    } catch {
      _ = unsafe unlinkat(parent, name, 0)
      throw error
    }
  }
}

/// A complete temporary file, or a hard link that `place` creates.
package struct StagedFile: Sendable {
  package let path: String
  let number: UInt64
  var link: (folder: Folder, name: String)?
  /// The stamp of the complete file; `place` changes only its `changed` time.
  package fileprivate(set) var stamp = StampedPaths.absent

  package var isLink: Bool { link != nil }

  /// Part of the name is random, because machines that share a folder may use the same process IDs.
  private static let process = "\(getpid())-\(String(UInt32.random(in: 0...(.max)), radix: 16))"

  package var temporary: String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    return folder + temporaryName
  }

  fileprivate var temporaryName: String { StagedFile.prefix + "\(Self.process)-\(number)" }

  package static let prefix = ".sitegen-tmp-"
}

/// Metadata that a new file inherits from its folder: owner, group, mode, labels and ACLs.
package struct FileTraits: Hashable, Sendable {
  private let numbers: [UInt64]
  private let attributes: [CChar]

  fileprivate init?(_ descriptor: borrowing Descriptor, path: String) throws(FileError) {
    let status = try descriptor.status(path: path)
    numbers = [
      UInt64(status.st_dev), UInt64(status.st_uid), UInt64(status.st_gid), UInt64(status.st_mode),
    ]
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe linux_attributes(descriptor.number, &bytes, bytes.count)
    guard count >= 0 || errno == EOPNOTSUPP else { return nil }
    attributes = Array(bytes.prefix(max(count, 0)))
  }
}

extension OpenFile {
  package borrowing func traits() throws(FileError) -> FileTraits? {
    try FileTraits(descriptor, path: path)
  }
}

extension Folder {
  package func traitsOfNewFile(at name: String) throws(FileError) -> FileTraits? {
    let staged = try stage(Data(), to: name)
    defer { discard(staged) }
    return try open(beneath: staged.temporary, followingLinks: false).traits()
  }
}
