/// How the program ends; schedulers and scripts rely on these numbers.
package enum ExitStatus: Hashable, Sendable {
  case success
  /// Published, but some items failed; with `--strict` nothing was published.
  case someFailed
  /// Words typed, manifest or templates: nothing was touched.
  case usage
  /// Disk, rights, ImageMagick: the old site is whole.
  case machine
  /// Another build holds the lock.
  case locked
  case signal(Int32)

  package var code: Int32 {
    switch self {
    case .success: 0
    case .someFailed: 1
    case .usage: 2
    case .machine: 3
    case .locked: 75
    case .signal(let number): 128 + number
    }
  }
}
