package import Diagnostics
package import Recipes

extension AvatarStyle {
  package struct Decoration: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case dot(Color)
      case badge(SourcePath, Located)
    }

    package enum Condition: String, Hashable, Sendable, CaseIterable {
      case animated, tall, wide
    }

    package var name: String?
    package var content: Content
    package var size = 14.0
    package var corner = Corner.bottomRight
    /// The centre's distances from the edges; nil places the centre where the outline and the
    /// diagonal cross.
    package var distance: SIMD2<Double>?
    package var gap = 0.0
    package var condition: Condition?

    package init(_ content: Content) { self.content = content }

    /// Whether the decoration needs space on the canvas; a gap does not, as it is only cut out.
    var paints: Bool {
      if case .dot(let color) = content { color.alpha > 0 } else { true }
    }

    package var isDrawn: Bool { paints || gap > 0 }
  }

  package struct Ring: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
      case over, inset, outside
    }

    package enum Width: Hashable, Sendable {
      case points(Double)
      case hairline

      func pixels(at scale: Double) -> Double {
        switch self {
        case .points(let points): points * scale
        case .hairline: 1
        }
      }
    }

    package var width = Width.points(1)
    package var fill: Fill?
    package var mode = Mode.over
    /// The transparent gap between the ring and the picture; always 0 in mode `over`.
    package var gap = 0.0
    package var hidden = false
    package var allowNonSquare = false

    package init(fill: Fill?) { self.fill = fill }

    package var isDrawn: Bool { !hidden && fill != nil && width != .points(0) }
  }
}

extension AvatarStyle.Ring {
  static let keys = Keys<AvatarStyle.Ring>("a border") {
    Key(
      "width",
      .either(
        .words([("hairline", Width.hairline)]), Kind.number(.length).map { Width.points($0) }),
      to: \.width
    )
    .doc(default: "1", "The width in points. `hairline` is one pixel at every scale.")
    Key("color", .color, replaces: "gradient") { $0.fill = .solid($1) }
      .doc("The ring's colour. Without `color` or `gradient`, the ring is not drawn.")
    Key("gradient", .mapping(Gradient.keys, Gradient())) {
      // A gradient without colours does not replace the colour.
      if $1.colors != nil { $0.fill = $1.fill }
    }
    .doc("The ring's gradient, used instead of `color`.")
    Key("mode", .words(Mode.self), to: \.mode)
      .doc(default: "over", "Whether the ring covers, replaces or surrounds the picture's edge.")
    Key("gap", .number(.length), to: \.gap)
      .doc(default: "0", "The transparent gap between the picture and the ring, in points.")
    Key("hidden", .boolean, to: \.hidden).doc(default: "false", "Hides the ring.")
    Key("allowNonSquare", .boolean, to: \.allowNonSquare)
      .doc(default: "false", "Draws the ring even if the size is not square.")
  } check: { reader, fields, _ in
    guard fields["color"] != nil, let gradient = fields["gradient"] else { return }
    reader.report(
      .conflict, "a border cannot have both `color` and `gradient`", gradient,
      help: "remove one of them")
  }
}

extension Shadow {
  static let keys = Keys<Shadow>("a shadow") {
    Key("color", .color, to: \.color).doc("The shadow's colour. Without it, no shadow is drawn.")
    Key("radius", .number(.length), to: \.radius)
      .doc(default: "0", "The standard deviation of the blur, in points.")
    Key("offset", .pair(.number(.offset), expected: "[x, y]")) { ($0.x, $0.y) = $1 }
      .doc(default: "[0, 0]", "How far the shadow is shifted right and down, in points.")
    Key("spread", .number(.offset), to: \.outset)
      .doc(default: "0", "How much the shadow is enlarged, in points. Negative values shrink it.")
  }
}

extension AvatarStyle.Decoration {
  static let keys = Keys<AvatarStyle.Decoration>("a decoration", alternatives: ["dot", "badge"]) {
    Key("name", .name, to: \.name)
      .doc("The name that users list to get the decoration. Without a name, everyone gets it.")
    Key("dot", .color) { $0.content = .dot($1) }.doc("Draws a disc in this colour.")
    Key("badge", .pictureFile) { $0.content = .badge($1.path, $1.declared) }
      .doc("Draws this picture (up to 1 MiB). The path is relative to the manifest.")
    Key("size", .number(.size), to: \.size)
      .doc(default: "14", "The dot's diameter, or the badge's longer side, in points.")
    Key("corner", .words(AvatarStyle.Corner.self), to: \.corner)
      .doc(default: "br", "The corner at which the decoration is drawn.")
    Key("at", .pair(.number(.offset), expected: "[x, y]")) { $0.distance = SIMD2($1.0, $1.1) }
      .doc(
        default: "on the outline", "The centre's distance to each edge at the corner, in points.")
    Key("gap", .number(.length), to: \.gap)
      .doc(default: "0", "The width of the gap cut out around the decoration, in points.")
    Key("when", .words(Condition.self), to: \.condition)
      .doc(
        default: "always",
        "Draws the decoration only if the picture is animated, taller than 1:3 or wider than 3:1.")
  } check: { reader, fields, _ in
    if fields["dot"] == nil, fields["badge"] == nil {
      reader.report(
        .error, .missingKey, "`dot` or `badge` is missing", at: reader.located(fields.field),
        help: "set `dot` to a colour, or `badge` to a file")
    } else if fields["dot"] != nil, let badge = fields["badge"] {
      reader.report(
        .conflict, "a decoration is a `dot` or a `badge`, not both", badge,
        help: "split it into two decorations, or remove one of the keys")
    }
  }
}
