import CLinux
import Foundation
import Glibc

/// What a file has from the folder in which it was made: owner, group, rights, labels, access lists.
package struct FileTraits: Hashable, Sendable {
  private let words: [UInt64]
  private let attributes: [CChar]

  /// Nil when they cannot be found out.
  ///
  /// The corresponding C functions are `fstat`, `flistxattr` and `fgetxattr`.
  fileprivate init?(_ descriptor: borrowing Descriptor, path: String) throws(FileError) {
    let status = try descriptor.status(path: path)
    words = [
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
  /// What a file would have that is made at a name with the usual rights.
  package func traitsOfNewFile(at name: String) throws(FileError) -> FileTraits? {
    let staged = try stage(Data(), to: name)
    do throws(FileError) {
      let traits = try open(beneath: staged.temporary, followingLinks: false).traits()
      try remove(staged.temporary)
      return traits
    } catch {
      discard(staged)
      throw error
    }
  }

  /// What gives a file of another folder a second name, instead of copying it.
  ///
  /// Nothing is done before `place`, which fails where that cannot be: on another file system, or with
  /// too many names. The stamp is that of the file, as far as it is known.
  package func stage(
    linkTo source: String, in folder: Folder, stamp: FileStamp, to name: String
  ) -> StagedFile {
    StagedFile(path: name, number: nextNumber(), link: (folder, source), stamp: stamp)
  }

  /// Links a file to its name, or to its temporary one where something has that name.
  ///
  /// The corresponding C function is `linkat`.
  ///
  /// - Returns: Whether it has its own name.
  func link(
    _ source: (folder: Folder, name: String), _ staged: StagedFile, _ parent: Int32, _ last: String
  ) throws(FileError) -> Bool {
    try source.folder.withParent(of: source.name, making: false, shelf: true) {
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
}
