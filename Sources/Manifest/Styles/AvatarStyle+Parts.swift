package import Diagnostics
package import Recipes

extension AvatarStyle {
  /// A blurred silhouette of the shape and its rings, behind everything.
  package struct Shadow: Hashable, Sendable {
    /// Nil and transparent draw nothing.
    package var color: Color?
    /// The standard deviation of the blur.
    package var radius = 0.0
    package var x = 0.0
    package var y = 0.0
    /// How far the silhouette is drawn out, or in when it is below 0.
    package var spread = 0.0

    package init(color: Color?) { self.color = color }
  }

  /// A dot or a badge at a corner.
  package struct Decoration: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case dot(Color)
      /// A path beneath the manifest's folder, and where the manifest says so.
      case badge(SourcePath, Located)
    }

    /// What a source may be like.
    package enum Condition: String, Hashable, Sendable, CaseIterable {
      case animated
      case tall
      case wide
    }

    /// On users who list it; nil on all.
    package var name: String?
    package var content: Content
    /// Of the dot, or of the square that the badge fits into.
    package var size = 14.0
    package var corner = Corner.bottomRight
    /// Of its middle from the vertical and the horizontal edge at the corner, inwards; nil is the
    /// point of the outline on the corner's diagonal.
    package var distance: Distance?
    /// Width of the ring around it that is cut out.
    package var gap = 0.0
    /// On sources that are so; nil on all.
    package var condition: Condition?

    package struct Distance: Hashable, Sendable {
      package var x: Double
      package var y: Double

      package init(x: Double, y: Double) {
        self.x = x
        self.y = y
      }
    }

    package init(_ content: Content) {
      self.content = content
    }

    /// A transparent dot may still cut a hole.
    package var isDrawn: Bool {
      guard gap == 0, case .dot(let color) = content else { return true }
      return color.alpha > 0
    }
  }
}
