import Bytes
import Diagnostics
import Manifest
import Plan
import Recipes

/// Where a person's pictures come from; docs/verify.md names each key of its JSON.
package struct Explanation: Encodable, Sendable {
  /// One that the manifest names, and its answer.
  package struct Source: Encodable, Sendable {
    /// As messages call it.
    package var source: String
    package var kind: String
    /// `shown`, `stale`, `failed`, or `untried` where an earlier one works.
    package var answer: String
    /// Of `failed` and `stale`: an id of docs/diagnostics.md, and words.
    package var reason: String?
    package var detail: String?
    /// Of what is shown.
    package var sha256: String?
    package var format: String?
    package var width: Int?
    package var height: Int?
  }

  package struct Style: Encodable, Sendable {
    package var name: String
    package var recipe: [Step]
    package var images: [Image] = []
    /// Files of the output that show them now.
    package var files: [String] = []
  }

  package struct Step: Encodable, Sendable {
    package var term: String
    package var text: String
  }

  package struct Image: Encodable, Sendable {
    package var scale: Double
    package var format: String
    package var key: String
    /// What the cache has under the key, as a path in the output; nil for what is not rendered.
    package var path: String?
    /// What the last build has put there.
    package var shown: String?
    /// Whether the bytes are in the cache, so that they need not be rendered.
    package var cached = false
    /// The first field of the key that is not as in the last build: `source`, `recipe`, `renderer`;
    /// `new` for a picture that the site does not have.
    package var differs: String?
    package var old: String?
    package var new: String?
  }

  package var user: String
  package var name: String
  package var status: String
  package var sources: [Source]
  package var styles: [Style] = []

  /// Of the only user of a site.
  init(_ content: SiteContent) {
    let (user, assignment) = (content.manifest.users[0], content.assignment.assignments[0])
    self.user = user.id
    name = user.name
    status = content.assignment.status(of: 0).rawValue
    let background = user.background.map { AvatarSource.Kind.color($0) }
    let kinds = user.avatars.map(\.kind) + [background].compactMap(\.self)
    sources = kinds.enumerated().map { number, kind in
      var source = Source(source: kind.names.source, kind: kind.names.kind, answer: "untried")
      var rejection: Rejection?
      if number < assignment.failures.count {
        source.answer = "failed"
        rejection = assignment.failures[number]
      } else if number == assignment.candidate, let shown = content.source(of: 0) {
        source.answer = assignment.isStale ? "stale" : "shown"
        rejection = content.staleness(of: 0)?.rejection
        source.sha256 = shown.digest.hex
        source.format = shown.inspection?.format.rawValue
        source.width = shown.inspection?.uprightSize.width
        source.height = shown.inspection?.uprightSize.height
      }
      (source.reason, source.detail) = (rejection?.reason.rawValue, rejection?.detail)
      return source
    }
  }
}
