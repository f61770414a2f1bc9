package import Foundation

/// A finished file: its bytes and the size that its header states.
package struct RenderedImage: Hashable, Sendable {
  package var bytes: Data
  package var size: PixelSize
  package var findings: Findings

  package init(bytes: Data, size: PixelSize, findings: Findings = Findings()) {
    self.bytes = bytes
    self.size = size
    self.findings = findings
  }
}

/// What was found out while an image was made, and is worth telling beside it.
package struct Findings: Codable, Hashable, Sendable {
  /// Of the finished picture; only from images at the base's size.
  ///
  /// Those of a photo are its style's largest. What is drawn (a colour, initials, an identicon) has
  /// a base of its own at each scale, so each of them has a placeholder.
  package var placeholder: Placeholder?
  /// What a finder chose; only from images at the base's size.
  package var focus: FoundFocus?
  /// The quality that a limit of bytes led to.
  package var quality: Int?

  package init(placeholder: Placeholder? = nil, focus: FoundFocus? = nil, quality: Int? = nil) {
    self.placeholder = placeholder
    self.focus = focus
    self.quality = quality
  }

  /// Whether all of it can have been found, as must be asked of what comes from elsewhere.
  package var isPossible: Bool {
    if let hash = placeholder?.thumbHash,
      !(Placeholder.smallestThumbHash...Placeholder.largestThumbHash).contains(hash.count)
    {
      return false
    }
    // What is no number is in no range.
    if let point = focus?.focus, !(0...1).contains(point.x) || !(0...1).contains(point.y) {
      return false
    }
    return quality.map((1...100).contains) ?? true
  }
}
