import CLinux
import Foundation
import Glibc

extension Folder {
  /// Removes a file or symlink; returns false if it is missing, and throws if it is a folder.
  @discardableResult
  package func remove(_ name: String) throws(FileError) -> Bool {
    try unlessMissing { () throws(FileError) in
      try withParent(of: name) { (parent, last) throws(FileError) in
        try call("remove", shown(name)) { unsafe unlinkat(parent, last, 0) }
      }
    } != nil
  }

  package func removeEmptyParents(of name: String) throws(FileError) {
    var name = name[...]
    while let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")), slash != name.startIndex {
      name = name[..<slash]
      let folder = String(name)
      do {
        try withParent(of: folder) { (parent, last) throws(FileError) in
          try call("remove", shown(folder)) { unsafe unlinkat(parent, last, AT_REMOVEDIR) }
        }
      } catch let error
        where [ENOTEMPTY, EEXIST, EBUSY].contains(error.code) || error.reason == .linked
      {
        return
      } catch let error where error.reason == .notFound {
        continue
      }
    }
  }

  /// Renames an entry atomically, so that it can be deleted later without a lock.
  ///
  /// Returns the new, unique name, or nil if the entry is missing.
  @discardableResult
  package func retire(_ name: String) throws(FileError) -> String? {
    let retired = Folder.retiredPrefix + UUID().uuidString
    return try unlessMissing { () throws(FileError) in
      try withParent(of: name) { (parent, last) throws(FileError) in
        try call("rename", shown(name)) {
          unsafe renameat(parent, last, descriptor.number, retired)
        }
      }
      return retired
    }
  }

  package func removeTree(_ name: String) throws(FileError) {
    do {
      try withParent(of: name) { (parent, last) throws(FileError) in
        try removeTree(parent, Array(last.utf8), shown: shown(name))
      }
    } catch let error where error.code == ENOENT {
      return
    }
  }

  package func retired() throws(FileError) -> [String] {
    try entries().map(\.path).filter { $0.hasPrefix(Folder.retiredPrefix) }
  }

  private static let retiredPrefix = StagedFile.prefix + "gone-"

  /// Removes temporary files from earlier runs, except `spared`; returns the number removed.
  ///
  /// The caller must hold the folder's lock, because a running build's files have similar names.
  @discardableResult
  package func sweepTemporaries(sparing spared: [String] = []) throws(FileError) -> Int {
    let spared = Set(spared)
    var found: [String] = []
    var folders = ["."]
    while let folder = folders.popLast() {
      for entry in try entries(of: folder) {
        if entry.name.hasPrefix(StagedFile.prefix) {
          if !spared.contains(entry.path) { found.append(entry.path) }
        } else if entry.kind == .folder, !spared.contains(entry.path) {
          folders.append(entry.path)
        }
      }
    }
    for path in found { try removeTree(path) }
    return found.count
  }

  /// Removes a tree whose name is given as bytes, because it may be invalid UTF-8.
  private func removeTree(_ parent: Int32, _ name: [UInt8], shown: String) throws(FileError) {
    let name = terminated(name)
    if unsafe unlinkat(parent, name, 0) == 0 || errno == ENOENT { return }
    let code = errno
    // For a folder, Linux returns EISDIR, not EPERM as in POSIX; EPERM means a protected file.
    guard code == EISDIR else { throw FileError("remove", path: shown, code: code) }
    // Retry, because another process may add files in the meantime.
    for round in 1...3 {
      try removeContents(parent, name, shown: shown)
      if unsafe unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
      let code = errno
      if code != ENOTEMPTY || round == 3 { throw FileError("remove", path: shown, code: code) }
    }
  }

  private func removeContents(_ parent: Int32, _ name: [CChar], shown: String) throws(FileError) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number: Int32
    do {
      number = try call("open", shown) {
        unsafe linux_openat2(parent, name, UInt64(flags), 0, UInt64(Folder.insideOnly))
      }
    } catch let error where error.code == ENOENT {
      return
    }
    let listing = try Listing(Descriptor(adopting: number), path: shown)
    // Read all names first, because removing entries while reading may skip some of them.
    var names: [[UInt8]] = []
    while let next = try listing.next() { names.append(next.name) }
    for name in names { try removeTree(listing.number, name, shown: shown) }
  }
}
