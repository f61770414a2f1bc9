import CLinux
import Glibc

extension Folder {
  /// Returns a folder's entries, sorted bytewise by name; empty if the folder is missing.
  package func entries(of name: String = ".") throws(FileError) -> [FolderEntry] {
    let folder: Descriptor
    do {
      folder = try readable(name)
    } catch let error where error.code == ENOENT {
      return []
    }
    return try entries(in: folder, of: name)
  }

  /// Returns a folder's entries and stamp; handles symlinks as `open(beneath:)` does.
  package func entries(
    beneath name: String, allowOutside: Bool
  ) throws(FileError) -> (entries: [FolderEntry], stamp: FileStamp) {
    let folder = try Folder.open(
      descriptor.number, name, flags: O_RDONLY | O_DIRECTORY,
      resolve: RESOLVE_NO_MAGICLINKS | (allowOutside ? 0 : RESOLVE_BENEATH), shown: shown(name))
    let stamp = FileStamp(try folder.status(path: shown(name)))
    return (try entries(in: folder, of: name), stamp)
  }

  private func entries(
    in folder: consuming Descriptor, of name: String
  ) throws(FileError) -> [FolderEntry] {
    let prefix = name == "." ? "" : name + "/"
    var entries: [FolderEntry] = []
    let listing = try Listing(folder, path: shown(name))
    while let next = try listing.next() {
      entries.append(
        FolderEntry(path: prefix + String(decoding: next.name, as: UTF8.self), kind: next.kind))
    }
    return entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Visits all entries recursively in a stable order, without following symlinks.
  package func walk(
    _ name: String = ".", visit: (FolderEntry) throws(FileError) -> Void
  ) throws(FileError) {
    for entry in try entries(of: name) {
      try visit(entry)
      if entry.kind == .folder { try walk(entry.path, visit: visit) }
    }
  }
}

package struct FolderEntry: Hashable, Sendable {
  package let path: String
  package let kind: FileKind

  package var name: Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] }
      ?? path[...]
  }
}

/// An iterator over a folder's entries in file system order, without `.` and `..`.
@safe
struct Listing: ~Copyable {
  private let stream: OpaquePointer
  private let path: String

  init(_ folder: consuming Descriptor, path: String) throws(FileError) {
    guard let stream = unsafe fdopendir(folder.number) else {
      throw FileError("list", path: path, code: errno)
    }
    folder.release()
    unsafe self.stream = stream
    self.path = path
  }

  deinit {
    _ = unsafe closedir(stream)
  }

  var number: Int32 { unsafe dirfd(stream) }

  borrowing func next() throws(FileError) -> (name: [UInt8], kind: FileKind)? {
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw FileError("list", path: path, code: errno) }
        return nil
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
      }
      if name == [0x2e] || name == [0x2e, 0x2e] { continue }
      return (name, try kind(of: name, type: unsafe entry.pointee.d_type))
    }
  }

  private borrowing func kind(of name: [UInt8], type: UInt8) throws(FileError) -> FileKind {
    if type != 0 { return FileKind(mode: mode_t(type) << 12) }
    var status = stat()
    guard unsafe fstatat(number, terminated(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return .other
    }
    return FileKind(mode: status.st_mode)
  }
}

func terminated(_ name: [UInt8]) -> [CChar] {
  name.map { CChar(bitPattern: $0) } + [0]
}
