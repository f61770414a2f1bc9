import Files

extension BlobStore {
  /// A blob as it lies there.
  package struct Entry: Hashable, Sendable {
    package let digest: Digest
    package let size: Int64
    /// When it was written, in seconds since 1970.
    package let written: Int64
  }

  /// Every blob; what has another name than a blob is left out.
  package func entries() throws(StoreError) -> [Entry] {
    var entries: [Entry] = []
    try file { () throws(FileError) in
      let folder = current.withLock { $0 }
      try folder.walk { (entry) throws(FileError) in
        let names = entry.path.split(separator: "/")
        guard entry.kind == .file, names.count == 2, let digest = Digest(hex: String(names[1])),
          names[0] == names[1].prefix(2), let stamp = try folder.stamp(of: entry.path)
        else { return }
        entries.append(
          Entry(digest: digest, size: stamp.size, written: stamp.modified / 1_000_000_000))
      }
    }
    return entries
  }
}
