import Bytes
import Diagnostics
import Documents
import Recipes

// The keys of a style and of its parts. A key needs no other code than its line here.

extension AvatarStyle {
  static let keys = Keys<AvatarStyle>("a style") {
    $0.add("name", .word(for: "style"), to: \.name, default: "`round`", "The unique name.")
    $0.add(
      "from", .text().described("name of a style"),
      "The style that provides all missing keys, also those of mappings; `focus` and lists are "
        + "taken as a whole.")
    $0.add(
      "size", .size, default: "`64`",
      "Points, or width and height; below 1 point nothing is drawn."
    ) { ($0.width, $0.height) = ($1.first, $1.second) }
    $0.add(
      "scales", .list(.number(.scale), 1...ManifestLimits.scales), default: "`[1, 2, 3]`",
      "Pixels a point, one image for each."
    ) { $0.scales = Set($1).sorted() }
    $0.add(
      "shape", .shape, to: \.shape, default: "`circle`",
      "A circle is a capsule if the size is not square; `continuous` is the corner of iOS.")
    $0.add(
      "radius", .length(.length, or: .percentage), default: "`25%`",
      "Of `rounded` and `continuous`: points, or a share of the shorter side, at most half of it."
    ) { $0.shape.round(by: $1) }
    $0.add(
      "corners", .list(.words(Corner.self), 1...ManifestLimits.words), default: "all four",
      "The corners that `rounded` and `continuous` round."
    ) { $0.shape.round(corners: Set($1)) }
    $0.add(
      "fit", .words(Fit.self), to: \.fit, default: "`fill`",
      "Covers the shape and crops, shows all, or distorts.")
    $0.add(
      "focus", .focus, default: "`[50%, 50%]`",
      "The point that a crop keeps, a word for one, or how to find it."
    ) { ($0.focus, $0.finder) = ($1.focus, $1.finder) }
    $0.add("grayscale", .boolean, to: \.isGrayscale, default: "`false`", "Removes the colour.")
    $0.add("tint", .color, to: \.tint, "Dyes the picture; an opaque colour dyes it wholly.")
    $0.add(
      "blur", .number(.length), to: \.blur, default: "`0`",
      "Blurs the picture by this standard deviation, in points.")
    $0.add(
      "border",
      .either(
        .onlyList(.mapping(Ring.keys, Ring(fill: nil)), 0...ManifestLimits.rings, of: "rings"),
        Kind.mapping(Ring.keys, Ring(fill: nil)).map { [$0] }
      ).described("\(Ring.keys.table.link), or a list of up to \(ManifestLimits.rings)"),
      to: \.border, "Rings along the shape.")
    $0.add(
      "background", .color, to: \.background,
      "Lies behind transparent pictures, see `underlay` and `opaque`.")
    $0.add(
      "underlay", .boolean, to: \.underlay, default: "`false`",
      "Paints the background behind the picture, inside the shape.")
    $0.add(
      "overlay", .mapping(Gradient.overlayKeys, Gradient()),
      "Is painted over the picture, inside the shape."
    ) { $0.overlay = $1.fill }
    $0.add(
      "shadow", .mapping(Shadow.keys, Shadow(color: nil)), to: \.shadow,
      "Lies behind everything; the image grows.")
    $0.add(
      "opaque", .boolean, to: \.opaque, default: "`false`",
      "Flattens the whole image on white, then on the background.")
    $0.add(
      "decorations",
      .list(
        .mapping(Decoration.keys, Decoration(.dot(.invisible))), 0...ManifestLimits.decorations),
      to: \.decorations, "Dots and badges at the corners, the last on top.")
    $0.add(
      "formats", .list(.format, 1...ManifestLimits.words), default: "`[webp, png]`",
      "Pages offer `avif` first; `jpeg` needs `opaque` or an opaque background."
    ) { $0.formats = $1.distinct }
    $0.add(
      "quality", .mapping(qualityKeys, [:]), to: \.quality,
      default: "`{ webp: 80, avif: 50, jpeg: 85 }`", "How well the formats with loss are encoded.")
    $0.add(
      "maxBytes",
      .either(
        Kind.whole(.bytes).map { bytes in
          Dictionary(uniqueKeysWithValues: OutputFormat.allCases.map { ($0, bytes) })
        },
        .mapping(maxBytesKeys, [:])), to: \.maxBytes,
      "The maximum size of a file, for all formats or for each.")
  }

  static let qualityKeys = Keys<[OutputFormat: Int]>(
    "quality", later: OutputFormat.unsupported.keys.sorted()
  ) {
    for format in OutputFormat.allCases {
      guard let quality = format.defaultQuality else { continue }
      $0.add(
        format.rawValue, .whole(.quality), default: "`\(quality)`",
        "The quality of files in \(format.rawValue)."
      ) { $0[format] = $1 }
    }
  }

  static let maxBytesKeys = Keys<[OutputFormat: Int]>(
    "a limit of bytes", later: OutputFormat.unsupported.keys.sorted()
  ) {
    for format in OutputFormat.allCases {
      $0.add(format.rawValue, .whole(.bytes), "The maximum size of a file in \(format.rawValue).") {
        $0[format] = $1
      }
    }
  }
}

extension AvatarStyle.Ring {
  static let keys = {
    var keys = Keys<AvatarStyle.Ring>("a border") {
      $0.add(
        "width",
        .either(.words([("hairline", .hairline)]), Kind.number(.length).map { .points($0) }),
        to: \.width, default: "`1`", "Points; `hairline` is one pixel at every scale.")
      $0.add(
        "color", .color, replaces: "gradient", "Without a colour or a gradient there is no ring."
      ) { $0.fill = .solid($1) }
      $0.add("gradient", .mapping(Gradient.keys, Gradient()), "Paints the ring instead of `color`.")
      {
        // Without colours it runs through the one colour that a parent has.
        if $1.colors != nil { $0.fill = $1.fill }
      }
      $0.add(
        "mode", .words(Mode.self), to: \.mode, default: "`over`",
        "On the picture; in place of its edge, so that it ends where the ring begins; or around it."
      )
      $0.add(
        "gap", .number(.length), to: \.gap, default: "`0`",
        "Points of transparency between the picture and an `inset` or `outside` ring.")
      $0.add("hidden", .boolean, to: \.hidden, default: "`false`", "Switches the ring off.")
      $0.add(
        "allowNonSquare", .boolean, to: \.allowNonSquare, default: "`false`",
        "Without it, a size that is not square has no ring, and there is a warning.")
    }
    keys.check = { reader, fields, _ in
      guard fields["color"] != nil, let gradient = fields["gradient"] else { return }
      reader.report(
        .conflict, "a border has a `color` or a `gradient`, not both", gradient,
        help: "remove one of them")
    }
    return keys
  }()
}

/// Colours and how they run.
struct Gradient {
  var colors: [Color]?
  /// Clockwise from above; nil is the default of the kind.
  var degrees: Double?
  var isConic = false

  /// One colour is flat, none paints nothing.
  var fill: Fill? {
    guard let colors, let first = colors.first else { return nil }
    if colors.count == 1 { return .solid(first) }
    return isConic
      ? .conic(colors, degrees: degrees ?? 0) : .linear(colors, degrees: degrees ?? 180)
  }

  static let keys = Keys<Gradient>("a gradient") {
    addLine(to: &$0)
    $0.add(
      "kind", .words([("linear", false), ("conic", true)]), to: \.isConic, default: "`linear`",
      "Along a line, or around the centre.")
  }

  static let overlayKeys = Keys<Gradient>("an overlay") { addLine(to: &$0) }

  private static func addLine(to keys: inout Keys<Gradient>) {
    keys.add(
      "colors", .list(.color, 0...ManifestLimits.colors), to: \.colors,
      "Evenly spaced; one is flat, none paints nothing.")
    keys.add(
      "direction", .direction, to: \.degrees, default: "`down`, of `conic` `up`",
      "Where a line ends or a circle starts; degrees run clockwise from `up`.")
  }
}

extension AvatarStyle.Shadow {
  static let keys = Keys<AvatarStyle.Shadow>("a shadow") {
    $0.add("color", .color, to: \.color, "Without a colour there is no shadow.")
    $0.add(
      "radius", .number(.length), to: \.radius, default: "`0`",
      "The standard deviation of the blur, in points.")
    $0.add(
      "offset", .pair(.number(.offset), expected: "[x, y]"), default: "`[0, 0]`",
      "Points, to the right and down."
    ) { ($0.x, $0.y) = ($1.first, $1.second) }
    $0.add(
      "spread", .number(.offset), to: \.spread, default: "`0`",
      "Points by which the shape grows; below 0, it shrinks.")
  }
}

extension AvatarStyle.Decoration {
  static let keys = {
    var keys = Keys<AvatarStyle.Decoration>("a decoration", alternatives: ["dot", "badge"]) {
      $0.add("name", .name, to: \.name, "For users who list it; without a name, for everyone.")
      $0.add("dot", .color, "A disc of this colour.") { $0.content = .dot($1) }
      $0.add("badge", .badge, "A picture beneath the manifest, of at most 1 MiB.") {
        $0.content = $1
      }
      $0.add(
        "size", .number(.size), to: \.size, default: "`14`",
        "Points: the diameter, or the square that the badge fits into.")
      $0.add(
        "corner", .words(AvatarStyle.Corner.self), to: \.corner, default: "`br`",
        "The corner at which it is.")
      $0.add(
        "at", .pair(.number(.offset), expected: "[x, y]"), default: "on the shape",
        "Points from the edges at that corner to the centre."
      ) { $0.distance = Distance(x: $1.first, y: $1.second) }
      $0.add(
        "gap", .number(.length), to: \.gap, default: "`0`",
        "Points of the ring that is cut out around it.")
      $0.add(
        "when", .words(Condition.self), to: \.condition, default: "always",
        "Only on animated pictures, or if one side is more than three times the other.")
    }
    keys.check = { reader, fields, _ in
      if fields["dot"] == nil, fields["badge"] == nil {
        reader.report(
          .error, .missingKey, "neither `dot` nor `badge` is there", at: fields.position,
          fields.path, help: "name the colour of a dot, or the file of a badge")
      } else if fields["dot"] != nil, let badge = fields["badge"] {
        reader.report(
          .conflict, "a decoration is a `dot` or a `badge`, not both", badge,
          help: "make two of it, or remove one of the keys")
      }
    }
    return keys
  }()
}

// MARK: - Focus

/// What `focus` of a style means: nothing of it is inherited in part.
struct FocusRule: Sendable {
  var focus = Focus.center
  var finder: AvatarStyle.Finder?

  static let smart = FocusRule(finder: .smart)
  static let face = FocusRule(
    finder: .face(headRoom: AvatarStyle.Finder.defaultHeadRoom, isSmartOtherwise: true))

  static let keys = {
    var keys = Keys<FocusRule>("a focus") {
      $0.add(
        "find", .words([("face", face), ("smart", smart)]),
        required: "write `find: face` or `find: smart`",
        "Looks for faces, or for detail and skin colours."
      ) { $0 = $1 }
      $0.add(
        "headRoom", .length(.headRoom, or: .headRoomPercentage), default: "`30%`",
        "For `face`: the space above the face, as a share of its height."
      ) { rule, room in
        guard case .face(_, let isSmart) = rule.finder else { return }
        switch room {
        case .points(let share), .fraction(let share):
          rule.finder = .face(headRoom: share, isSmartOtherwise: isSmart)
        }
      }
      $0.add(
        "otherwise",
        .either(Kind.point.map { FocusRule(focus: $0) }, .words([("smart", smart)] + sides)),
        default: "`smart`, of `smart` `center`", "What a crop keeps if nothing is found."
      ) { rule, other in
        rule.focus = other.focus
        guard case .face(let room, _) = rule.finder else { return }
        rule.finder = .face(headRoom: room, isSmartOtherwise: other.finder == .smart)
      }
    }
    keys.check = { reader, fields, rule in
      guard rule.finder == .smart else { return }
      if let field = fields["headRoom"] {
        reader.report(
          .conflict, "`headRoom` is for faces only", field,
          help: "remove it, or write `find: face`")
      }
      if let field = fields["otherwise"], field.node.isWord("smart") {
        reader.report(
          .conflict, "`smart` cannot be its own `otherwise`", field,
          help: "name a point or a side, such as center")
      }
    }
    return keys
  }()

  fileprivate static let sides = FieldReader.sides.map { ($0.key, FocusRule(focus: $0.value)) }
}

extension FieldReader {
  static let sides: [(key: String, value: Focus)] = [
    ("center", .center), ("top", Focus(x: 0.5, y: 0)), ("bottom", Focus(x: 0.5, y: 1)),
    ("left", Focus(x: 0, y: 0.5)), ("right", Focus(x: 1, y: 0.5)),
    ("top-left", Focus(x: 0, y: 0)), ("top-right", Focus(x: 1, y: 0)),
    ("bottom-left", Focus(x: 0, y: 1)), ("bottom-right", Focus(x: 1, y: 1)),
  ]

  /// `focus` of a user: a point or a word for one; in a table `40%;50%`.
  mutating func pinnedFocus(_ field: Field) -> Focus? {
    guard isTabular, case .scalar(let scalar) = field.node.content,
      scalar.text.utf8.contains(UInt8(ascii: ";"))
    else { return Kind<Focus>.pinned.read(&self, field) }
    let parts = scalar.text.split(separator: ";", omittingEmptySubsequences: false).map {
      Node(.scalar(Scalar(String($0.trimmingBlanks), style: .plain)), at: field.node.position)
    }
    let list = Field(node: Node(.sequence(parts), at: field.node.position), path: field.path)
    return Kind<Focus>.point.read(&self, list)
  }
}

// MARK: - Kinds of values that only styles have

extension Kind<Focus> {
  static var point: Kind {
    Kind<Pair<Double>>.pair(
      .percentage(.percentage), expected: "two percentages, such as [50%, 40%]"
    ).described("`[x%, y%]`").map { Focus(x: $0.first, y: $0.second) }
  }

  static var pinned: Kind { .either(.point, .words(FieldReader.sides)) }
}

extension Kind<FocusRule> {
  fileprivate static var focus: Kind {
    var kind = Kind.either(
      Kind<Focus>.point.map { FocusRule(focus: $0) }, .mapping(FocusRule.keys, FocusRule()),
      .words(FocusRule.sides + [("smart", .smart), ("face", .face)]))
    // A child's replaces that of its parent.
    kind.form.table = nil
    return kind
  }
}

extension Kind<Pair<Double>> {
  fileprivate static var size: Kind {
    .either(
      Kind<Double>.number(.size).map { Pair(first: $0, second: $0) },
      .pair(.number(.size), expected: "a number or [width, height]").described("`[width, height]`"))
  }
}

extension Kind<AvatarStyle.Shape> {
  fileprivate static var shape: Kind {
    let (radius, corners) = (AvatarStyle.defaultRadius, Set(AvatarStyle.Corner.allCases))
    return .words([
      ("circle", .circle), ("rounded", .rounded(radius, corners: corners)),
      ("continuous", .continuous(radius, corners: corners)), ("square", .square),
    ])
  }
}

extension Kind<AvatarStyle.Length> {
  fileprivate static func length(_ range: NumberRange, or percentage: NumberRange) -> Kind {
    .either(
      Kind<Double>.percentage(percentage).map { .fraction($0) },
      Kind<Double>.number(range).map { .points($0) })
  }
}

extension Kind<Double> {
  /// Degrees clockwise from above, or a word for them.
  fileprivate static var direction: Kind {
    let words: [(key: String, value: Double)] = [
      ("up", 0), ("right", 90), ("down", 180), ("left", 270),
    ]
    var number = Kind.number(.degrees)
    number.form.fits = { node in !node.isScalar || node.text.flatMap(decimal) != nil }
    return .either(number, .words(words))
  }
}

extension Kind<AvatarStyle.Decoration.Content> {
  fileprivate static var badge: Kind {
    Kind<String>.text(pattern: "^[^\(Pattern.controls)]+$").described("path")
      .then { reader, field, path in
        if !path.isEmpty { return .badge(SourcePath(path), reader.located(field)) }
        reader.report(
          .unknownValue, "the name of the file is empty", field, help: "name a picture")
        return nil
      }
  }
}

extension Kind<OutputFormat> {
  fileprivate static var format: Kind {
    let words = Kind.words(OutputFormat.self)
    return Kind(words.form) { reader, field in
      guard let name = field.node.text, let why = OutputFormat.unsupported[name] else {
        return words.read(&reader, field)
      }
      let known = OutputFormat.allCases.map { "`\($0.rawValue)`" }
      reader.report(
        .notSupported, "`\(name)` files are not written", field, note: why,
        help: "use \(known.joined(separator: ", "))")
      return nil
    }
  }
}

extension AvatarStyle.Shape {
  /// A circle and a square stay as they are.
  fileprivate mutating func round(
    by radius: AvatarStyle.Length? = nil, corners: Set<AvatarStyle.Corner>? = nil
  ) {
    switch self {
    case .rounded(let own, let all): self = .rounded(radius ?? own, corners: corners ?? all)
    case .continuous(let own, let all): self = .continuous(radius ?? own, corners: corners ?? all)
    case .circle, .square: break
    }
  }
}
