package import Diagnostics
package import Recipes

/// A named look that users' pictures get; all lengths in points.
///
/// The defaults of every way in (file, CSV, command line) live here.
package struct AvatarStyle: Hashable, Sendable {
  package var name: String
  package var width = 64.0
  package var height = 64.0
  /// Ascending and distinct.
  package var scales = [1.0, 2, 3]
  package var shape = Shape.circle
  package var fit = Fit.fill
  /// What the crop keeps, or what it keeps where the finder finds nothing.
  package var focus = Focus.center
  package var finder: Finder?
  package var isGrayscale = false
  /// A transparent one does nothing.
  package var tint: Color?
  /// The standard deviation; 0 does nothing.
  package var blur = 0.0
  /// From the outline on: inwards those inside, outwards those outside.
  package var border: [Ring] = []
  package var background: Color?
  /// Paint the background behind transparent pictures.
  package var underlay = false
  /// Drawn over the picture, inside the shape.
  package var overlay: Fill?
  package var shadow: Shadow?
  /// Flatten: white, then the background.
  package var opaque = false
  /// Later ones lie on top.
  package var decorations: [Decoration] = []
  /// In the manifest's order, distinct.
  package var formats: [OutputFormat] = [.webp, .png]
  package var quality: [OutputFormat: Int] = [:]
  /// What a file may have at most.
  package var maxBytes: [OutputFormat: Int] = [:]
  package var declared: Located
  /// Of `focus`, where the style looks for something and says so itself.
  package var focusLocation: FileLocation?
  /// Of `maxBytes`, where the style itself says something of it.
  package var limitLocation: FileLocation?

  package init(name: String = AvatarStyle.defaultName, declared: Located) {
    self.name = name
    self.declared = declared
  }

  package static let defaultName = "round"
  /// Of the shorter side.
  package static let defaultRadius = Length.fraction(0.25)

  /// Below 1 point in either direction no file is made, whatever the scale.
  package var drawsNothing: Bool { width < 1 || height < 1 }

  /// Whether a build needs a detector of faces for it.
  package var looksForFaces: Bool {
    guard case .face = finder else { return false }
    return fit == .fill && !drawsNothing
  }
}

extension AvatarStyle {
  package enum Shape: Hashable, Sendable {
    case circle
    case rounded(Length, corners: Set<Corner>)
    /// Like rounded, without a jump of the curvature.
    case continuous(Length, corners: Set<Corner>)
    case square
  }

  package enum Corner: String, Hashable, Sendable, CaseIterable {
    case topLeft = "tl"
    case topRight = "tr"
    case bottomRight = "br"
    case bottomLeft = "bl"
  }

  /// Points, or a fraction of the shorter side.
  package enum Length: Hashable, Sendable {
    case points(Double)
    case fraction(Double)
  }

  /// Looks for a better point than the focus.
  package enum Finder: Hashable, Sendable {
    case smart
    /// - Parameters:
    ///   - headRoom: What is kept free above a face, as a fraction of its height.
    ///   - isSmartOtherwise: Without a face: smart, or else the style's focus.
    case face(headRoom: Double, isSmartOtherwise: Bool)

    package static let defaultHeadRoom = 0.3
  }
}
