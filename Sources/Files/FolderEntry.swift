/// One thing found in a folder.
package struct FolderEntry: Hashable, Sendable {
  /// Relative to the folder that was asked.
  package let path: String
  package let kind: FileKind

  package var name: Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] }
      ?? path[...]
  }
}
