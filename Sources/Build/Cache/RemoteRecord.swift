package import Bytes
package import Fetch
package import Recipes
import Store

/// What is kept of one address between builds.
package struct RemoteRecord: Hashable, Sendable {
  /// The last good bytes.
  package struct Kept: Hashable, Sendable {
    package var digest: Digest
    package var size: Int

    package init(digest: Digest, size: Int) {
      self.digest = digest
      self.size = size
    }
  }

  /// A failure that the next build would meet again.
  package struct Failure: Hashable, Sendable {
    package var rejection: Rejection
    /// When it is forgotten, in seconds since 1970.
    package var until: Int64

    package init(_ rejection: Rejection, until: Int64) {
      self.rejection = rejection
      self.until = until
    }
  }

  package var kept: Kept?
  /// The validators of the kept bytes.
  package var validators: Validators
  /// When the server last confirmed the kept bytes, in seconds since 1970.
  package var checkedAt: Int64
  /// Until when they may be used without asking; 0 for never.
  package var freshUntil: Int64
  package var failure: Failure?

  package init(
    kept: Kept? = nil, validators: Validators = Validators(), checkedAt: Int64 = 0,
    freshUntil: Int64 = 0, failure: Failure? = nil
  ) {
    self.kept = kept
    self.validators = validators
    self.checkedAt = checkedAt
    self.freshUntil = freshUntil
    self.failure = failure
  }
}
