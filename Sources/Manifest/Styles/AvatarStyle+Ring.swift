package import Recipes

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
