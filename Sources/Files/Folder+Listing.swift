import Glibc

extension Folder {
  /// What is directly in a folder, sorted by the bytes of the names.
  ///
  /// A name that is no UTF-8 is shown with replacement characters; it is none of ours.
  /// The corresponding C function is `readdir`.
  ///
  /// - Parameter name: A folder in this one, reached without links; `.` for this one.
  /// - Throws: When the folder is reached through a link, or cannot be read.
  /// - Returns: The entries; empty when there is no such folder.
  package func entries(of name: String = ".") throws(FileError) -> [FolderEntry] {
    let folder: Descriptor
    do {
      folder = try readable(name)
    } catch let error where error.code == ENOENT {
      return []
    }
    let prefix = name == "." ? "" : name + "/"
    var entries: [FolderEntry] = []
    let listing = try Listing(folder, path: shown(name))
    while let next = try listing.next() {
      entries.append(
        FolderEntry(path: prefix + String(decoding: next.name, as: UTF8.self), kind: next.kind))
    }
    return entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Visits everything beneath a folder, each folder before what is in it, never through a link.
  ///
  /// Sorted within each folder, so the order is the same each time.
  /// The corresponding C function is `readdir`.
  package func walk(
    _ name: String = ".", visit: (FolderEntry) throws(FileError) -> Void
  ) throws(FileError) {
    for entry in try entries(of: name) {
      try visit(entry)
      if entry.kind == .folder { try walk(entry.path, visit: visit) }
    }
  }
}
