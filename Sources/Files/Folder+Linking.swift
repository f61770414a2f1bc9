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

  /// Gives a file of another folder a second name beside a place, instead of copying it.
  ///
  /// The stamp is that of the file, as far as it is known. Returns nil where that cannot be: on another
  /// file system, or with too many names.
  /// The corresponding C function is `linkat`.
  package func stage(
    linkTo source: String, in folder: Folder, stamp: FileStamp, to name: String
  ) throws(FileError) -> StagedFile? {
    try withParent(of: name, making: true, shelf: true) { (parent, _) throws(FileError) in
      try folder.withParent(of: source, making: false, shelf: true) {
        (other, file) throws(FileError) in
        while true {
          let staged = StagedFile(path: name, number: nextNumber(), stamp: stamp)
          do throws(FileError) {
            try call("link", shown(name)) {
              unsafe linkat(other, file, parent, staged.temporaryName, 0)
            }
            return staged
          } catch  where error.code == EEXIST {
            continue
          } catch  where [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(error.code) {
            return nil
          }
        }
      }
    }
  }
}
