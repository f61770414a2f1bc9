import Bytes
import Diagnostics
import Documents
import Recipes

struct Gradient {
  var colors: [Color]?
  /// The direction in degrees clockwise from the top; nil means the default direction.
  var degrees: Double?
  var isConic = false

  var fill: Fill? {
    guard let colors, let first = colors.first else { return nil }
    if colors.count == 1 { return .solid(first) }
    return isConic
      ? .conic(colors, degrees: degrees ?? 0) : .linear(colors, degrees: degrees ?? 180)
  }

  static let keys = Keys<Gradient>("a gradient") {
    line(
      default: "down, or up if conic",
      "The direction towards the last colour (`conic`: the first), in degrees clockwise from `up`.")
    Key("kind", .words([("linear", false), ("conic", true)]), to: \.isConic)
      .doc(default: "linear", "`linear` runs along a line, and `conic` around the centre.")
  }

  static let overlayKeys = Keys<Gradient>("an overlay") {
    line(default: "down", "The direction towards the last colour, in degrees clockwise from `up`.")
  }

  @KeysBuilder<Gradient> private static func line(
    default start: String, _ direction: String
  ) -> [Key<Gradient>] {
    Key("colors", .list(.color, 0...256), to: \.colors)
      .doc("Evenly spaced colours. One colour is a solid fill, and an empty list paints nothing.")
    Key("direction", .direction, to: \.degrees).doc(default: start, direction)
  }
}

/// The value of a style's `focus`, which is inherited as a whole rather than key by key.
struct FocusRule: Sendable {
  var focus = Focus.center
  var finder: AvatarStyle.Finder?

  static let smart = FocusRule(finder: .smart)
  static let face = FocusRule(finder: .face(headRoom: 0.3, isSmartOtherwise: true))

  static let keys = Keys<FocusRule>("a focus") {
    Key(
      "find", .words([("face", face), ("smart", smart)]),
      required: "write `find: face` or `find: smart`"
    ) { $0 = $1 }
    .doc("`face` looks for faces, and `smart` for detail and skin tones.")
    Key(
      "headRoom", .either(.percentage(NumberRange(0...1_000)), Kind.number(NumberRange(0...10)))
    ) { rule, room in
      guard case .face(_, let isSmart) = rule.finder else { return }
      rule.finder = .face(headRoom: room, isSmartOtherwise: isSmart)
    }
    .doc(default: "30%", "For `face`: the space above the face, as a fraction of its height.")
    Key(
      "otherwise",
      .either(Kind.point.map { FocusRule(focus: $0) }, .words([("smart", smart)] + sides))
    ) { rule, other in
      rule.focus = other.focus
      guard case .face(let room, _) = rule.finder else { return }
      rule.finder = .face(headRoom: room, isSmartOtherwise: other.finder == .smart)
    }
    .doc(default: "smart, or center with `find: smart`", "The point to keep if nothing is found.")
  } check: { reader, fields, rule in
    guard rule.finder == .smart else { return }
    if let field = fields["headRoom"] {
      reader.report(
        .conflict, "`headRoom` is for faces only", field, help: "remove it, or write `find: face`")
    }
    if let field = fields["otherwise"], field.node.isWord("smart") {
      reader.report(
        .conflict, "`otherwise` cannot be `smart` with `find: smart`", field,
        help: "use a point or a side, such as center")
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

  /// Reads a user's `focus`: a point, a keyword or, in a table, text such as `40%;50%`.
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

extension Kind<Focus> {
  static var point: Kind {
    Kind<(Double, Double)>.pair(
      .percentage(.percentage), expected: "two percentages, such as [50%, 40%]"
    ).described("`[x%, y%]`").map { Focus(x: $0.0, y: $0.1) }
  }

  static var pinned: Kind { .either(.point, .words(FieldReader.sides)) }
}

extension Kind<FocusRule> {
  static var focus: Kind {
    var kind = Kind.either(
      Kind<Focus>.point.map { FocusRule(focus: $0) }, .mapping(FocusRule.keys, FocusRule()),
      .words(FocusRule.sides + [("smart", .smart), ("face", .face)]))
    // A child style's value replaces the whole value of its parent.
    kind.form.table = nil
    return kind
  }
}

extension Kind<Double?> {
  static var zoom: Kind {
    .either(.words([("auto", nil)]), Kind<Double>.number(NumberRange(1...4)).map { $0 })
  }
}

extension Kind<(Double, Double)> {
  static var size: Kind {
    .either(
      Kind<Double>.number(.size).map { ($0, $0) },
      .pair(.number(.size), expected: "a number or [width, height]").described("`[width, height]`"))
  }
}

extension Kind<[AvatarStyle.Ring]> {
  static var border: Kind {
    let ring = Kind<AvatarStyle.Ring>.mapping(AvatarStyle.Ring.keys, .init(fill: nil))
    return either(onlyList(ring, 0...16, of: "rings"), ring.map { [$0] })
      .described("\(ring.form.takes), or a list")
  }
}

extension Kind<[OutputFormat: Int]> {
  static var maxBytes: Kind {
    let all = Kind<Int>.whole(1...1_000_000_000_000).described("whole number").map { bytes in
      Dictionary(uniqueKeysWithValues: OutputFormat.allCases.map { ($0, bytes) })
    }
    return either(all, .mapping(AvatarStyle.maxBytesKeys, [:]))
  }
}

extension Kind<Double> {
  /// Accepts degrees clockwise from the top, or a direction keyword.
  static var direction: Kind {
    let words: [(key: String, value: Double)] = [
      ("up", 0), ("right", 90), ("down", 180), ("left", 270),
    ]
    var number = Kind.number(NumberRange(-36_000...36_000))
    number.form.fits = { node in !node.isScalar || node.text.flatMap(decimal) != nil }
    return .either(number, .words(words))
  }
}

extension Kind<(AvatarStyle.Shape, AvatarStyle.PictureFile?)> {
  static var shape: Kind {
    .either(
      .mapping(AvatarStyle.maskKeys, (AvatarStyle.Shape.square, nil)),
      Kind<AvatarStyle.Shape>.words(AvatarStyle.Shape.self).map { ($0, nil) })
  }
}

extension Kind<AvatarStyle.PictureFile> {
  static var pictureFile: Kind {
    Kind<String>.text(pattern: "^[^\(Pattern.controls)]+$").described("path")
      .then { reader, field, path in
        path.isEmpty
          ? reader.reject(
            .unknownValue, "the file name is empty", field, help: "specify a picture")
          : AvatarStyle.PictureFile(path: SourcePath(path), declared: reader.located(field))
      }
  }
}

extension Kind<OutputFormat> {
  static var format: Kind {
    let words = Kind.words(OutputFormat.self)
    return Kind(words.form) { reader, field in
      guard let name = field.node.text, let why = OutputFormat.unsupported[name] else {
        return words.read(&reader, field)
      }
      let known = OutputFormat.allCases.map { "`\($0.rawValue)`" }
      return reader.reject(
        .notSupported, "cannot write `\(name)` files", field, note: why,
        help: "use \(known.joined(separator: ", "))")
    }
  }
}
