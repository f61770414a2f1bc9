package import Foundation
import Glibc

// Everything here goes through real folders beneath this one: a link on the way is an error.
extension Folder {
  /// Writes a whole file beside its place, then renames it there; parents are made as needed.
  ///
  /// Readers see the old file or the new one. Nothing is synced.
  /// The corresponding C functions are `openat2`, `write` and `renameat`.
  package func write(
    _ bytes: RawSpan, to name: String, mode: UInt32 = 0o666
  ) throws(FileError) {
    try place(stage(bytes, to: name, mode: mode))
  }

  package func write(_ bytes: Data, to name: String, mode: UInt32 = 0o666) throws(FileError) {
    try write(unsafe bytes.span.bytes, to: name, mode: mode)
  }

  package func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o666) throws(FileError) {
    try write(unsafe bytes.span.bytes, to: name, mode: mode)
  }

  /// Writes a whole file beside its place, to be placed later.
  ///
  /// Its rights are `mode`, before the umask. Returns what `place` or `discard` wants.
  /// The corresponding C functions are `openat2` and `write`.
  package func stage(
    _ bytes: RawSpan, to name: String, mode: UInt32 = 0o666
  ) throws(FileError) -> StagedFile {
    try stage(to: name, mode: mode) { (target) throws(FileError) in
      try target.write(bytes, path: shown(name))
    }
  }

  package func stage(
    _ bytes: Data, to name: String, mode: UInt32 = 0o666
  ) throws(FileError) -> StagedFile {
    try stage(unsafe bytes.span.bytes, to: name, mode: mode)
  }

  /// Writes a whole file where there is nothing; a process that is killed leaves a part of it.
  ///
  /// - Returns: Its stamp; nil when something has the name.
  /// The corresponding C functions are `openat2` and `write`.
  package func create(
    _ bytes: Data, at name: String, mode: UInt32 = 0o666
  ) throws(FileError) -> FileStamp? {
    try withParent(of: name, making: true, shelf: true) { (parent, last) throws(FileError) in
      try create(last, in: parent, mode: mode, shown: shown(name)) { (target) throws(FileError) in
        try target.write(unsafe bytes.span.bytes, path: shown(name))
      }
    }
  }

  /// Writes a file piece by piece beside its place, for what is too large to be held.
  ///
  /// `body` is given what writes the next piece; when it throws, nothing is left.
  /// The corresponding C functions are `openat2` and `write`.
  package func stage(
    streamTo name: String, mode: UInt32 = 0o666,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws -> StagedFile {
    // `stage` throws only errors of files; those of the body are carried past it.
    var stray: (any Error)?
    let staged = try stage(to: name, mode: mode) { (target) throws(FileError) in
      do {
        try body { piece in
          try target.write(unsafe piece.span.bytes, path: shown(name))
        }
      } catch let error as FileError {
        throw error
      } catch {
        stray = error
      }
    }
    guard let stray else { return staged }
    discard(staged)
    throw stray
  }

  /// Gives a staged file its name, replacing a file or a link of that name.
  ///
  /// The corresponding C functions are `linkat` and `renameat`.
  package func place(_ staged: StagedFile) throws(FileError) {
    do {
      try withParent(of: staged.path, making: staged.link != nil, shelf: true) {
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

  /// Removes a staged file that will not be placed.
  ///
  /// The corresponding C function is `unlinkat`.
  package func discard(_ staged: StagedFile) {
    // If this fails, the next run removes it.
    try? withParent(of: staged.temporary, making: false, shelf: true) { parent, last in
      _ = unsafe unlinkat(parent, last, 0)
    }
  }

  private func stage(
    to name: String, mode: UInt32, fill: (borrowing Descriptor) throws(FileError) -> Void
  ) throws(FileError) -> StagedFile {
    try withParent(of: name, making: true, shelf: true) { (parent, _) throws(FileError) in
      while true {
        var staged = StagedFile(path: name, number: nextNumber())
        // A name may be left by an earlier process with our process number.
        if let stamp = try create(
          staged.temporaryName, in: parent, mode: mode, shown: shown(name), fill)
        {
          staged.stamp = stamp
          return staged
        }
      }
    }
  }

  /// Makes and fills a file; nil when something has its name.
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

/// A complete file under a temporary name, beside its place, or in another folder.
package struct StagedFile: Sendable {
  /// Where it will be, relative to the folder that staged it.
  package let path: String
  let number: UInt64
  /// The file that gets another name; nil for one that is moved.
  var link: (folder: Folder, name: String)?
  /// Of the complete file; placing it changes only the time of change.
  package fileprivate(set) var stamp = StampedPaths.absent

  init(
    path: String, number: UInt64, link: (folder: Folder, name: String)? = nil,
    stamp: FileStamp = StampedPaths.absent
  ) {
    self.path = path
    self.number = number
    self.link = link
    self.stamp = stamp
  }

  package var isLink: Bool { link != nil }

  /// Machines that share a folder may have equal process numbers.
  private static let process = "\(getpid())-\(String(UInt32.random(in: 0...(.max)), radix: 16))"

  /// Where it is now.
  package var temporary: String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    return folder + temporaryName
  }

  var temporaryName: String { StagedFile.prefix + "\(Self.process)-\(number)" }

  /// The prefix of all our temporary names.
  package static let prefix = ".sitegen-tmp-"
}
