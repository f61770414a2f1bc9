/// What `stat` says about a file's identity; equal stamps mean, with care, equal bytes.
package struct FileStamp: Hashable, Sendable, BitwiseCopyable {
  package var inode: UInt64
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64
  /// Nanoseconds since 1970.
  package var changed: Int64

  package init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}
