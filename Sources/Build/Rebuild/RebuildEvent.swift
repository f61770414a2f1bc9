package import Foundation

/// What happens while somebody watches, as soon as it can be seen.
package enum RebuildEvent: Sendable {
  /// Pictures are made anew and can be had, though the site is not published yet: old paths beneath
  /// the output, and the new ones.
  case swapped([String: String])
  /// Where no site stands yet, pages can be had that show what will be there.
  case provisional
  /// Files of the output are others now: their paths, sorted; nil where more than these may look
  /// different, since what was shown before has not come true.
  case published([String]?)
  case progress(ProgressEvent)
}

/// How one rebuild ended.
package enum Rebuilt: Sendable {
  case built(BuildResult)
  case failed(BuildFailure)
  /// Files have changed since; the next rebuild knows what this one should have done.
  case superseded
}

/// A file that is not in the output, or not any more.
package struct StandInFile: Sendable {
  package var bytes: Data
  /// The path names these bytes by their content.
  package var isForEver: Bool
}
