/// Something happened to a file or folder; what it is now, whoever cares looks for himself.
package enum FileChange: Sendable, Hashable {
  /// An absolute path.
  case path(String)
  /// Some were missed: anything may have changed.
  case anything
}

extension FileChange: Comparable {
  /// By the bytes of the path; `anything` comes first.
  package static func < (left: FileChange, right: FileChange) -> Bool {
    switch (left, right) {
    case (.path(let left), .path(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.anything, .path): true
    case (_, .anything): false
    }
  }
}
