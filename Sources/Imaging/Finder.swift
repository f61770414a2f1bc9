package import Foundation

/// Looks for the point of a picture that a crop shall keep.
package enum Finder: Codable, Hashable, Sendable {
  /// By detail and by the colours of skin.
  case smart
  /// By faces; where there is none, as `isSmartOtherwise` says.
  case face(Face)

  package struct Face: Codable, Hashable, Sendable {
    /// The digest of the detector's data, by which `Supplies` knows it.
    package var detector: String
    /// What is kept free above a face, as a fraction of its height.
    package var headRoom: Double
    /// Without a face: smart, or else the frame's focus.
    package var isSmartOtherwise: Bool

    package init(detector: String, headRoom: Double, isSmartOtherwise: Bool) {
      self.detector = detector
      self.headRoom = headRoom
      self.isSmartOtherwise = isSmartOtherwise
    }

    /// Whether faces can be looked for with the data of a detector.
    package static func canUse(detector data: Data) -> Bool { Cascade(reading: data) != nil }
  }
}

/// The point that a finder chose, and how.
package struct FoundFocus: Hashable, Sendable {
  package enum Way: String, Hashable, Sendable, CaseIterable {
    case face
    case smart
    /// Nothing was found: the frame's focus.
    case given
  }

  package var focus: Focus
  package var way: Way

  package init(focus: Focus, way: Way) {
    self.focus = focus
    self.way = way
  }
}
