import Plan
import Recipes

/// How a job ended.
enum JobResult: Sendable {
  /// In the order of the job's images.
  case finished([Result<Render, Rejection>])
  /// The machine decided this, not the bytes: the next build tries again.
  case failed(Rejection)
  /// The file is no longer what was gathered.
  case changed
}
