import Bytes
import Diagnostics
import Documents
import Recipes

// The keys of a style and of its parts. A key needs no other code than its line here.

extension AvatarStyle {
  static let keys = Keys<AvatarStyle>("a style") {
    Key("name", .word(for: "style"), to: \.name).doc(default: "round", "The unique name.")
    Key("from", .text().described("name of a style"))
      .doc("Provides all missing keys, also in mappings; `focus` and lists are taken as a whole.")
    Key("size", .size) { ($0.width, $0.height) = ($1.first, $1.second) }
      .doc(default: "64", "Points, or width and height; below 1 point nothing is drawn.")
    Key("scales", .list(.number(.scale), 1...8)) {
      $0.scales = Set($1).sorted()
    }
    .doc(default: "[1, 2, 3]", "Pixels a point, one image for each.")
    Key("shape", .shape, to: \.shape)
      .doc(default: "circle", "A wide circle is a capsule; `continuous` is the corner of iOS.")
    Key("radius", .length) { $0.shape.round(by: $1) }
      .doc(default: "25%", "Of corners: points, or a share of the shorter side, up to half of it.")
    Key("corners", .list(.words(Corner.self), 1...16)) {
      $0.shape.round(corners: Set($1))
    }
    .doc(default: "all four", "The corners that `rounded` and `continuous` round.")
    Key("fit", .words(Fit.self), to: \.fit)
      .doc(default: "fill", "Covers the shape and crops, shows all, or distorts.")
    Key("focus", .focus) { ($0.focus, $0.finder) = ($1.focus, $1.finder) }
      .doc(default: "[50%, 50%]", "The point that a crop keeps, a word for one, or how to find it.")
    Key("grayscale", .boolean, to: \.isGrayscale).doc(default: "false", "Removes the colour.")
    Key("tint", .color, to: \.tint).doc("Dyes the picture; an opaque colour dyes it wholly.")
    Key("blur", .number(.length), to: \.blur)
      .doc(default: "0", "Blurs the picture by this standard deviation, in points.")
    Key(
      "border",
      .either(
        .onlyList(.mapping(Ring.keys, Ring(fill: nil)), 0...16, of: "rings"),
        Kind.mapping(Ring.keys, Ring(fill: nil)).map { [$0] }
      ).described("\(Ring.keys.table.link), or a list of up to \(16)"),
      to: \.border
    )
    .doc("Rings along the shape.")
    Key("background", .color, to: \.background)
      .doc("Lies behind transparent pictures, see `underlay` and `opaque`.")
    Key("underlay", .boolean, to: \.underlay)
      .doc(default: "false", "Paints the background behind the picture, inside the shape.")
    Key("overlay", .mapping(Gradient.overlayKeys, Gradient())) { $0.overlay = $1.fill }
      .doc("Is painted over the picture, inside the shape.")
    Key("shadow", .mapping(Shadow.keys, Shadow(color: nil)), to: \.shadow)
      .doc("Lies behind everything; the image grows.")
    Key("opaque", .boolean, to: \.opaque)
      .doc(default: "false", "Flattens the whole image on white, then on the background.")
    Key("decorations", .decorations, to: \.decorations)
      .doc("Dots and badges at the corners, the last on top.")
    Key("formats", .list(.format, 1...16)) { $0.formats = $1.distinct }
      .doc(default: "[webp, png]", "`jpeg` needs `opaque` or an opaque background.")
    Key("quality", .mapping(qualityKeys, [:]), to: \.quality)
      .doc("How well the formats with loss are encoded.")
    Key("maxBytes", .maxBytes, to: \.maxBytes)
      .doc("The maximum size of a file, for all formats or for each.")
  }

  static let qualityKeys = Keys<[OutputFormat: Int]>(
    "quality", later: OutputFormat.unsupported.keys.sorted()
  ) {
    for format in OutputFormat.allCases where format.defaultQuality != nil {
      Key(format.rawValue, .whole(.quality)) { $0[format] = $1 }
        .doc(
          default: "\(format.defaultQuality ?? 0)", "The quality of files in \(format.rawValue).")
    }
  }

  static let maxBytesKeys = Keys<[OutputFormat: Int]>(
    "a limit of bytes", later: OutputFormat.unsupported.keys.sorted()
  ) {
    for format in OutputFormat.allCases {
      Key(format.rawValue, .whole(.bytes).described("whole number")) { $0[format] = $1 }
        .doc("The maximum size of a file in \(format.rawValue).")
    }
  }
}

extension AvatarStyle.Ring {
  static let keys = Keys<AvatarStyle.Ring>("a border") {
    Key("width", .ringWidth, to: \.width)
      .doc(default: "1", "Points; `hairline` is one pixel at every scale.")
    Key("color", .color, replaces: "gradient") { $0.fill = .solid($1) }
      .doc("Without a colour or a gradient there is no ring.")
    Key("gradient", .mapping(Gradient.keys, Gradient())) {
      // Without colours it runs through the one colour that a parent has.
      if $1.colors != nil { $0.fill = $1.fill }
    }
    .doc("Paints the ring instead of `color`.")
    Key("mode", .words(Mode.self), to: \.mode)
      .doc(default: "over", "On the picture, in place of its edge, or around it.")
    Key("gap", .number(.length), to: \.gap)
      .doc(default: "0", "Transparent points between the picture and the ring.")
    Key("hidden", .boolean, to: \.hidden).doc(default: "false", "Switches the ring off.")
    Key("allowNonSquare", .boolean, to: \.allowNonSquare)
      .doc(default: "false", "Without it, a size that is not square has no ring.")
  } check: { reader, fields, _ in
    guard fields["color"] != nil, let gradient = fields["gradient"] else { return }
    reader.report(
      .conflict, "a border has a `color` or a `gradient`, not both", gradient,
      help: "remove one of them")
  }
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
    line
    Key("kind", .words([("linear", false), ("conic", true)]), to: \.isConic)
      .doc(default: "linear", "Along a line, or around the centre.")
  }

  static let overlayKeys = Keys<Gradient>("an overlay") { line }

  @KeysBuilder<Gradient> private static var line: [Key<Gradient>] {
    Key("colors", .list(.color, 0...256), to: \.colors)
      .doc("Evenly spaced; one is flat, none paints nothing.")
    Key("direction", .direction, to: \.degrees)
      .doc(
        default: "down, of conic up", "Where a line ends or a circle starts, clockwise from `up`.")
  }
}

extension AvatarStyle.Shadow {
  static let keys = Keys<AvatarStyle.Shadow>("a shadow") {
    Key("color", .color, to: \.color).doc("Without a colour there is no shadow.")
    Key("radius", .number(.length), to: \.radius)
      .doc(default: "0", "The standard deviation of the blur, in points.")
    Key("offset", .pair(.number(.offset), expected: "[x, y]")) {
      ($0.x, $0.y) = ($1.first, $1.second)
    }
    .doc(default: "[0, 0]", "Points, to the right and down.")
    Key("spread", .number(.offset), to: \.spread)
      .doc(default: "0", "Points by which the shape grows; below 0, it shrinks.")
  }
}

extension AvatarStyle.Decoration {
  static let keys = Keys<AvatarStyle.Decoration>("a decoration", alternatives: ["dot", "badge"]) {
    Key("name", .name, to: \.name).doc("For users who list it; without a name, for everyone.")
    Key("dot", .color) { $0.content = .dot($1) }.doc("A disc of this colour.")
    Key("badge", .badge) { $0.content = $1 }
      .doc("A picture beneath the manifest, of at most 1 MiB.")
    Key("size", .number(.size), to: \.size)
      .doc(default: "14", "Points: the diameter, or the square that the badge fits into.")
    Key("corner", .words(AvatarStyle.Corner.self), to: \.corner)
      .doc(default: "br", "The corner at which it is.")
    Key("at", .pair(.number(.offset), expected: "[x, y]")) {
      $0.distance = Distance(x: $1.first, y: $1.second)
    }
    .doc(default: "on the shape", "Points from the edges at that corner to the centre.")
    Key("gap", .number(.length), to: \.gap)
      .doc(default: "0", "Points of the ring that is cut out around it.")
    Key("when", .words(Condition.self), to: \.condition)
      .doc(default: "always", "Only on such pictures: `tall` and `wide` are beyond 3 to 1.")
  } check: { reader, fields, _ in
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
}

// MARK: - Focus

/// What `focus` of a style means: nothing of it is inherited in part.
struct FocusRule: Sendable {
  var focus = Focus.center
  var finder: AvatarStyle.Finder?

  static let smart = FocusRule(finder: .smart)
  static let face = FocusRule(
    finder: .face(headRoom: AvatarStyle.Finder.defaultHeadRoom, isSmartOtherwise: true))

  static let keys = Keys<FocusRule>("a focus") {
    Key(
      "find", .words([("face", face), ("smart", smart)]),
      required: "write `find: face` or `find: smart`"
    ) { $0 = $1 }
    .doc("Looks for faces, or for detail and skin colours.")
    Key("headRoom", .share) { rule, room in
      guard case .face(_, let isSmart) = rule.finder else { return }
      rule.finder = .face(headRoom: room, isSmartOtherwise: isSmart)
    }
    .doc(default: "30%", "For `face`: the space above the face, as a share of its height.")
    Key(
      "otherwise",
      .either(Kind.point.map { FocusRule(focus: $0) }, .words([("smart", smart)] + sides))
    ) { rule, other in
      rule.focus = other.focus
      guard case .face(let room, _) = rule.finder else { return }
      rule.finder = .face(headRoom: room, isSmartOtherwise: other.finder == .smart)
    }
    .doc(default: "smart, of smart center", "What a crop keeps if nothing is found.")
  } check: { reader, fields, rule in
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

extension Kind<[AvatarStyle.Ring]> {
  fileprivate static var border: Kind {
    let ring = Kind<AvatarStyle.Ring>.mapping(AvatarStyle.Ring.keys, .init(fill: nil))
    return either(onlyList(ring, 0...16, of: "rings"), ring.map { [$0] })
      .described("\(ring.form.takes), or a list of up to 16")
  }
}

extension Kind<AvatarStyle.Ring.Width> {
  fileprivate static var ringWidth: Kind {
    either(words([("hairline", .hairline)]), Kind<Double>.number(.length).map { .points($0) })
  }
}

extension Kind<[AvatarStyle.Decoration]> {
  fileprivate static var decorations: Kind {
    list(
      .mapping(AvatarStyle.Decoration.keys, .init(.dot(.invisible))),
      0...ManifestLimits.decorations)
  }
}

extension Kind<[OutputFormat: Int]> {
  /// One number for all formats, or one for each.
  fileprivate static var maxBytes: Kind {
    let all = Kind<Int>.whole(.bytes).described("whole number").map { bytes in
      Dictionary(uniqueKeysWithValues: OutputFormat.allCases.map { ($0, bytes) })
    }
    return either(all, .mapping(AvatarStyle.maxBytesKeys, [:]))
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
  fileprivate static var length: Kind {
    .either(
      Kind<Double>.percentage(.percentage).map { .fraction($0) },
      Kind<Double>.number(.length).map { .points($0) })
  }
}

extension Kind<Double> {
  /// Of the height of a face.
  fileprivate static var share: Kind {
    .either(.percentage(.headRoomPercentage), .number(.headRoom))
  }

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
