import Diagnostics
import Documents
import Recipes

extension StyleDraft {
  /// What `focus` says: all of it, nothing is inherited in part.
  struct FocusDraft {
    var focus = Focus.center
    var finder: AvatarStyle.Finder?
  }

  /// Colours and how they run; nil is what a parent or the default says.
  struct GradientDraft {
    enum Kind {
      case linear
      case conic
    }

    var colors: [Color]?
    /// Clockwise from above.
    var degrees: Double?
    var kind: Kind?

    func filled(from parent: GradientDraft?) -> GradientDraft {
      GradientDraft(
        colors: colors ?? parent?.colors, degrees: degrees ?? parent?.degrees,
        kind: kind ?? parent?.kind)
    }

    /// One colour is flat, none paints nothing.
    var fill: Fill? {
      guard let colors, let first = colors.first else { return nil }
      if colors.count == 1 { return .solid(first) }
      return kind == .conic
        ? .conic(colors, degrees: degrees ?? 0) : .linear(colors, degrees: degrees ?? 180)
    }
  }

  struct RingDraft {
    /// Nil when it is a parent's: then the style's own place is told.
    var position: Position?
    var width: AvatarStyle.Ring.Width?
    var color: Color?
    var gradient: GradientDraft?
    var mode: AvatarStyle.Ring.Mode?
    var gap: (points: Double, position: Position?)?
    var hidden: Bool?
    var allowNonSquare: Bool?

    func filled(from parent: RingDraft) -> RingDraft {
      var draft = self
      draft.width = width ?? parent.width
      if color == nil {
        // A colour ends what was said of gradients before it.
        draft.color = parent.color
        draft.gradient = gradient?.filled(from: parent.gradient) ?? parent.gradient
      }
      draft.mode = mode ?? parent.mode
      draft.gap = gap ?? parent.gap.map { ($0.points, nil) }
      draft.hidden = hidden ?? parent.hidden
      draft.allowNonSquare = allowNonSquare ?? parent.allowNonSquare
      return draft
    }

    /// Without colours of its own a gradient runs through the one colour that there is.
    private var fill: Fill? {
      if let gradient, gradient.colors != nil { return gradient.fill }
      return color.map(Fill.solid)
    }

    var ring: AvatarStyle.Ring {
      var ring = AvatarStyle.Ring(fill: fill)
      if let width { ring.width = width }
      if let mode { ring.mode = mode }
      if let gap, ring.mode != .over { ring.gap = gap.points }
      if let hidden { ring.hidden = hidden }
      if let allowNonSquare { ring.allowNonSquare = allowNonSquare }
      return ring
    }
  }

  struct BorderDraft {
    var rings: [RingDraft]
    /// A mapping, which takes what it does not say from a parent that is one too.
    var isMapping: Bool

    func filled(from parent: BorderDraft?) -> BorderDraft {
      guard let parent, isMapping, parent.isMapping else { return self }
      var draft = self
      draft.rings = zip(rings, parent.rings).map { $0.filled(from: $1) }
      return draft
    }

    /// The same as it stands in a child, which has no place for it.
    var inherited: BorderDraft {
      var draft = self
      for index in draft.rings.indices {
        draft.rings[index].position = nil
        draft.rings[index].gap?.position = nil
      }
      return draft
    }
  }

  struct ShadowDraft {
    var color: Color?
    var radius: Double?
    var offset: (x: Double, y: Double)?
    var spread: Double?

    func filled(from parent: ShadowDraft?) -> ShadowDraft {
      ShadowDraft(
        color: color ?? parent?.color, radius: radius ?? parent?.radius,
        offset: offset ?? parent?.offset, spread: spread ?? parent?.spread)
    }

    var shadow: AvatarStyle.Shadow {
      var shadow = AvatarStyle.Shadow(color: color)
      if let radius { shadow.radius = radius }
      if let offset { (shadow.x, shadow.y) = offset }
      if let spread { shadow.spread = spread }
      return shadow
    }
  }
}
