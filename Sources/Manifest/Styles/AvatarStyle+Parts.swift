package import Diagnostics
package import Recipes

extension AvatarStyle {
  package struct Decoration: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case dot(Color)
      /// A path relative to the manifest's folder, and its location in the manifest.
      case badge(SourcePath, Located)
    }

    package enum Condition: String, Hashable, Sendable, CaseIterable {
      case animated
      case tall
      case wide
    }

    package var name: String?
    package var content: Content
    package var size = 14.0
    package var corner = Corner.bottomRight
    /// The distance of the centre from both edges; nil for the outline on the corner's diagonal.
    package var distance: SIMD2<Double>?
    package var gap = 0.0
    package var condition: Condition?

    package init(_ content: Content) {
      self.content = content
    }

    /// Whether it paints anything, because a mere cutout needs no space on the canvas.
    var paints: Bool {
      if case .dot(let color) = content { color.alpha > 0 } else { true }
    }

    package var isDrawn: Bool { paints || gap > 0 }
  }
}

extension AvatarStyle {
  package struct Ring: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
      case over
      case inset
      case outside
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
    /// The distance between the ring and the picture; 0 in mode `over`.
    package var gap = 0.0
    package var hidden = false
    package var allowNonSquare = false

    package init(fill: Fill?) {
      self.fill = fill
    }

    /// Whether the ring is visible and has a width and a paint.
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
    .doc(default: "1", "In points; `hairline` is one pixel at every scale.")
    Key("color", .color, replaces: "gradient") { $0.fill = .solid($1) }
      .doc("Without a colour or a gradient there is no ring.")
    Key("gradient", .mapping(Gradient.keys, Gradient())) {
      // Without colours, the gradient uses the parent's solid colour.
      if $1.colors != nil { $0.fill = $1.fill }
    }
    .doc("Paints the ring instead of `color`.")
    Key("mode", .words(Mode.self), to: \.mode)
      .doc(default: "over", "Over the picture, in place of its edge, or around it.")
    Key("gap", .number(.length), to: \.gap)
      .doc(default: "0", "The transparent gap between picture and ring, in points.")
    Key("hidden", .boolean, to: \.hidden).doc(default: "false", "Hides the ring.")
    Key("allowNonSquare", .boolean, to: \.allowNonSquare)
      .doc(default: "false", "Draws the ring even if the size is not square.")
  } check: { reader, fields, _ in
    guard fields["color"] != nil, let gradient = fields["gradient"] else { return }
    reader.report(
      .conflict, "a border has a `color` or a `gradient`, not both", gradient,
      help: "remove one of them")
  }
}

extension Shadow {
  /// In points; the spread is the outset.
  static let keys = Keys<Shadow>("a shadow") {
    Key("color", .color, to: \.color).doc("Without a colour there is no shadow.")
    Key("radius", .number(.length), to: \.radius)
      .doc(default: "0", "The standard deviation of the blur, in points.")
    Key("offset", .pair(.number(.offset), expected: "[x, y]")) { ($0.x, $0.y) = $1 }
      .doc(default: "[0, 0]", "In points, right and down.")
    Key("spread", .number(.offset), to: \.outset)
      .doc(default: "0", "How far the shape grows, in points; negative values shrink it.")
  }
}

extension AvatarStyle.Decoration {
  static let keys = Keys<AvatarStyle.Decoration>("a decoration", alternatives: ["dot", "badge"]) {
    Key("name", .name, to: \.name).doc("Drawn for users who list it; without a name, for everyone.")
    Key("dot", .color) { $0.content = .dot($1) }.doc("A disc of this colour.")
    Key("badge", .pictureFile) { $0.content = .badge($1.path, $1.declared) }
      .doc("A picture of up to 1 MiB in the manifest's folder.")
    Key("size", .number(.size), to: \.size)
      .doc(default: "14", "In points: the dot's diameter, or the square that the badge fits into.")
    Key("corner", .words(AvatarStyle.Corner.self), to: \.corner)
      .doc(default: "br", "Which corner.")
    Key("at", .pair(.number(.offset), expected: "[x, y]")) {
      $0.distance = SIMD2($1.0, $1.1)
    }
    .doc(default: "on the shape", "The distance from that corner's edges to the centre, in points.")
    Key("gap", .number(.length), to: \.gap)
      .doc(default: "0", "The width of the ring cut out around it, in points.")
    Key("when", .words(Condition.self), to: \.condition)
      .doc(default: "always", "Drawn only on such pictures; `tall` and `wide` mean more than 3:1.")
  } check: { reader, fields, _ in
    if fields["dot"] == nil, fields["badge"] == nil {
      reader.report(
        .error, .missingKey, "missing `dot` or `badge`", at: reader.located(fields.field),
        help: "name the colour of a dot, or the file of a badge")
    } else if fields["dot"] != nil, let badge = fields["badge"] {
      reader.report(
        .conflict, "a decoration is a `dot` or a `badge`, not both", badge,
        help: "make two of it, or remove one of the keys")
    }
  }
}
