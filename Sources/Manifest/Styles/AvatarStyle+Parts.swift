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

extension AvatarStyle {
  /// One ring of a border.
  package struct Ring: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
      /// Drawn over the picture, which shows through a translucent ring.
      case over
      /// The picture ends where the ring, or the gap after it, begins.
      case inset
      /// Drawn around the picture, which keeps its size.
      case outside
    }

    package enum Width: Hashable, Sendable {
      case points(Double)
      /// One pixel at every scale.
      case hairline

      var isNothing: Bool { self == .points(0) }

      func pixels(at scale: Double) -> Double {
        switch self {
        case .points(let points): points * scale
        case .hairline: 1
        }
      }
    }

    package var width = Width.points(1)
    /// Nil draws nothing.
    package var fill: Fill?
    package var mode = Mode.over
    /// Between the ring and what is on the picture's side of it; 0 where the mode is `over`.
    package var gap = 0.0
    package var hidden = false
    package var allowNonSquare = false

    package init(fill: Fill?) {
      self.fill = fill
    }

    package init(
      width: Double, color: Color?, mode: Mode = .over, gap: Double = 0
    ) {
      self.width = .points(width)
      fill = color.map(Fill.solid)
      self.mode = mode
      self.gap = gap
    }

    /// A hidden ring, and one without a width or a paint, is none at all.
    package var isDrawn: Bool { !hidden && fill != nil && !width.isNothing }
  }
}
