import Bytes
import Diagnostics
import Documents
import Recipes

// Styles of avatars and their parts.
extension FieldReader {
  /// All of `avatars`; one style with the defaults if there is no such key.
  mutating func styles(_ fields: Fields) -> [AvatarStyle] {
    guard let field = fields["avatars"] else {
      let location = FileLocation(file: file, position: fields.position)
      return [AvatarStyle(declared: Located(location, path: "avatars[0]"))]
    }
    guard case .sequence = field.node.content else {
      reportType(field, expected: "a list of styles")
      return []
    }
    guard let items = filledList(field, limit: ManifestLimits.styles) else { return [] }
    let drafts = items.map { styleDraft($0) }
    let errors = diagnostics.count(.error)
    let styles = StyleFamily(drafts, reporting: &self).styles(reporting: &self)
    if diagnostics.count(.error) == errors {
      StyleFamily.checkPixels(of: styles, field, reporting: &self)
    }
    return styles
  }

  /// One entry of `avatars`, as far as it can be read.
  private mutating func styleDraft(_ field: Field) -> StyleDraft {
    var draft = StyleDraft(
      path: field.path, declared: located(field), position: field.node.position)
    let errors = diagnostics.count(.error)
    if let fields = mapping(field, .style) {
      for key in KeyTable.style.keys {
        guard let value = fields[key] else { continue }
        draft.positions[key] = value.node.position
        read(key, value, into: &draft)
      }
    }
    draft.isBroken = diagnostics.count(.error) > errors
    return draft
  }

  private mutating func read(_ key: String, _ field: Field, into draft: inout StyleDraft) {
    switch key {
    case "name": if let name = styleName(field) { draft.style.name = name }
    case "from": draft.parent = text(field).map { ($0, field) }
    case "size":
      draft.settings.add(size(field)) { ($0.style.width, $0.style.height) = ($1.0, $1.1) }
    case "scales":
      let scales = all(filledList(field, limit: ManifestLimits.scales)) { $0.number($1, .scale) }
      draft.settings.set(\.style.scales, scales.map { Set($0).sorted() })
    case "shape": draft.settings.set(\.outline, word(field))
    case "radius":
      let radius: AvatarStyle.Length? =
        field.percentText == nil
        ? number(field, .length).map { .points($0) }
        : fraction(field, .percentage).map { .fraction($0) }
      draft.settings.set(\.radius, radius)
    case "corners":
      let corners: [AvatarStyle.Corner]? = all(filledList(field, limit: ManifestLimits.words)) {
        $0.word($1)
      }
      draft.settings.set(\.corners, corners.map { Set($0) })
    case "fit": draft.settings.set(\.style.fit, word(field))
    case "focus":
      draft.settings.add(focus(field)) {
        ($0.style.focus, $0.style.finder) = ($1.focus, $1.finder)
      }
    case "grayscale": draft.settings.set(\.style.isGrayscale, boolean(field))
    case "tint": draft.settings.add(color(field)) { $0.style.tint = $1 }
    case "blur": draft.settings.set(\.style.blur, number(field, .length))
    case "border": border(field, into: &draft.settings)
    case "background": draft.settings.add(color(field)) { $0.style.background = $1 }
    case "underlay": draft.settings.set(\.style.underlay, boolean(field))
    case "overlay": draft.settings.add(gradient(field, .overlay)) { $1.apply(to: &$0.overlay) }
    case "shadow":
      draft.settings.add(shadow(field)) { draft, settings in
        var shadow = draft.style.shadow ?? AvatarStyle.Shadow(color: nil)
        settings.apply(to: &shadow)
        draft.style.shadow = shadow
      }
    case "opaque": draft.settings.set(\.style.opaque, boolean(field))
    case "decorations": draft.settings.set(\.style.decorations, decorations(field))
    case "formats": draft.settings.set(\.style.formats, formats(field))
    case "quality":
      draft.settings.add(numbers(mapping(field, .quality), .quality)) {
        $0.style.quality.merge($1) { _, own in own }
      }
    case "maxBytes":
      draft.settings.add(maxBytes(field)) { $0.style.maxBytes.merge($1) { _, own in own } }
    default: preconditionFailure("every key of the table has its case")
    }
  }

  private mutating func styleName(_ field: Field) -> String? {
    guard let name = text(field, limit: ManifestLimits.nameBytes, id: .badName) else { return nil }
    if name.isWord { return name }
    report(
      .badName, "\(name.quoted) is no name for a style", field,
      help: "names are made of a-z, 0-9 and -")
    return nil
  }

  private mutating func size(_ field: Field) -> (width: Double, height: Double)? {
    if field.node.isScalar { return number(field, .size).map { ($0, $0) } }
    return pair(field, .size, expected: "a number or [width, height]").map { ($0, $1) }
  }

  // MARK: Focus

  static let gravities: [(key: String, value: Focus)] = [
    ("center", .center), ("top", Focus(x: 0.5, y: 0)), ("bottom", Focus(x: 0.5, y: 1)),
    ("left", Focus(x: 0, y: 0.5)), ("right", Focus(x: 1, y: 0.5)),
    ("top-left", Focus(x: 0, y: 0)), ("top-right", Focus(x: 1, y: 0)),
    ("bottom-left", Focus(x: 0, y: 1)), ("bottom-right", Focus(x: 1, y: 1)),
  ]

  private static let points = gravities.map {
    (key: $0.key, value: FocusDraft(focus: $0.value))
  }
  private static let smart = (key: "smart", value: FocusDraft(finder: .smart))
  private static let face = (
    key: "face",
    value: FocusDraft(
      finder: .face(headRoom: AvatarStyle.Finder.defaultHeadRoom, isSmartOtherwise: true))
  )

  /// `focus` of a user: a point or a word for one; in a table `40%;50%`.
  mutating func pinnedFocus(_ field: Field) -> Focus? {
    guard case .scalar(let scalar) = field.node.content else { return point(field) }
    guard isTabular, scalar.text.utf8.contains(UInt8(ascii: ";")) else {
      return word(field, Self.gravities)
    }
    let parts = scalar.text.split(separator: ";", omittingEmptySubsequences: false).map {
      Node(.scalar(Scalar(String($0.trimmingBlanks), style: .plain)), at: field.node.position)
    }
    return point(Field(node: Node(.sequence(parts), at: field.node.position), path: field.path))
  }

  /// `focus` of a style: a point, a word for one, or what looks for it.
  private mutating func focus(_ field: Field) -> FocusDraft? {
    switch field.node.content {
    case .sequence: point(field).map { FocusDraft(focus: $0) }
    case .scalar: word(field, Self.points + [Self.smart, Self.face])
    case .mapping: mapping(field, .focus).flatMap { finder($0) }
    }
  }

  private mutating func point(_ field: Field) -> Focus? {
    guard case .sequence(let items) = field.node.content, items.count == 2 else {
      reportCount(field, expected: "two percentages, such as [50%, 40%]")
      return nil
    }
    var point: [Double] = []
    for (index, node) in items.enumerated() {
      let item = Field(node: node, path: .item(index, of: field.path))
      if item.percentText == nil { reportType(item, expected: "a percentage, such as 40%") }
      if let value = fraction(item, .percentage) { point.append(value) }
    }
    return point.count == 2 ? Focus(x: point[0], y: point[1]) : nil
  }

  /// `{ find: face, headRoom: 25%, otherwise: smart }`.
  private mutating func finder(_ fields: Fields) -> FocusDraft? {
    let find = required("find", of: fields, help: "write `find: face` or `find: smart`")
    let isFace = word(find, [("face", true), ("smart", false)])
    let headRoom = fields["headRoom"].flatMap {
      $0.percentText == nil ? number($0, .headRoom) : fraction($0, .headRoomPercentage)
    }
    let other = fields["otherwise"].flatMap { otherwise($0, after: isFace) }
    guard let isFace else { return nil }
    if !isFace, let field = fields["headRoom"] {
      report(
        .conflict, "`headRoom` is for faces only", field, help: "remove it, or write `find: face`")
    }
    let focus = other?.focus ?? .center
    guard isFace else { return FocusDraft(focus: focus, finder: .smart) }
    return FocusDraft(
      focus: focus,
      finder: .face(
        headRoom: headRoom ?? AvatarStyle.Finder.defaultHeadRoom,
        isSmartOtherwise: other == nil || other?.finder == .smart))
  }

  /// What is kept when nothing is found.
  private mutating func otherwise(_ field: Field, after isFace: Bool?) -> FocusDraft? {
    guard field.node.isScalar else { return point(field).map { FocusDraft(focus: $0) } }
    if isFace == false, field.node.isWord("smart") {
      report(
        .conflict, "`smart` cannot be its own `otherwise`", field,
        help: "name a point or a side, such as center")
    }
    return word(field, [Self.smart] + Self.points)
  }

  // MARK: Paint

  /// One ring as a mapping, or a list of them.
  private mutating func border(_ field: Field, into style: inout Settings<StyleDraft>) {
    guard case .sequence = field.node.content else {
      return style.add(ring(field)) { $0.border.include($1, at: field.node.position) }
    }
    guard let items = list(field, limit: ManifestLimits.rings) else { return }
    let rings = items.compactMap { item in
      ring(item).map { settings in
        var ring = RingDraft(position: item.node.position)
        settings.apply(to: &ring)
        return ring
      }
    }
    style.set(\.border, BorderDraft(rings: rings, isList: true))
  }

  private mutating func ring(_ field: Field) -> Settings<RingDraft>? {
    guard let fields = mapping(field, .border) else { return nil }
    var ring = Settings<RingDraft>()
    let width: AvatarStyle.Ring.Width? = fields["width"].flatMap { field in
      field.node.isWord("hairline") ? .hairline : number(field, .length).map { .points($0) }
    }
    ring.set(\.values.width, width)
    // A colour ends what a parent says of gradients.
    ring.add(color(fields["color"])) { ($0.color, $0.gradient) = ($1, GradientDraft()) }
    if let field = fields["gradient"] {
      ring.add(gradient(field, .gradient)) { $1.apply(to: &$0.gradient) }
      if fields["color"] != nil {
        report(
          .conflict, "a border has a `color` or a `gradient`, not both", field,
          help: "remove one of them")
      }
    }
    ring.set(\.values.mode, word(fields["mode"]))
    if let field = fields["gap"] {
      ring.add(number(field, .length)) {
        ($0.values.gap, $0.gapPosition) = ($1, field.node.position)
      }
    }
    ring.set(\.values.hidden, boolean(fields["hidden"]))
    ring.set(\.values.allowNonSquare, boolean(fields["allowNonSquare"]))
    return ring
  }

  private mutating func gradient(_ field: Field, _ table: KeyTable) -> Settings<GradientDraft>? {
    guard let fields = mapping(field, table) else { return nil }
    var gradient = Settings<GradientDraft>()
    let colors = all(list(fields["colors"], limit: ManifestLimits.colors)) { $0.color($1) }
    gradient.add(colors) { $0.colors = $1 }
    gradient.add(direction(fields["direction"])) { $0.degrees = $1 }
    gradient.set(\.kind, word(fields["kind"]))
    return gradient
  }

  /// Degrees clockwise from above, or a word for them.
  private mutating func direction(_ field: Field?) -> Double? {
    guard let field, case .scalar(let scalar) = field.node.content, decimal(scalar.text) == nil
    else { return number(field, .degrees) }
    for (word, degrees) in Self.directions where word == scalar.text { return degrees }
    report(
      .unknownValue, "\(scalar.text.quoted) is no direction", field,
      help: "write `up`, `right`, `down`, `left`, or degrees such as 45")
    return nil
  }

  static let directions: [(key: String, value: Double)] = [
    ("up", 0), ("right", 90), ("down", 180), ("left", 270),
  ]

  private mutating func shadow(_ field: Field) -> Settings<AvatarStyle.Shadow>? {
    guard let fields = mapping(field, .shadow) else { return nil }
    var shadow = Settings<AvatarStyle.Shadow>()
    shadow.add(color(fields["color"])) { $0.color = $1 }
    shadow.set(\.radius, number(fields["radius"], .length))
    shadow.add(pair(fields["offset"], .offset, expected: "[x, y]")) { ($0.x, $0.y) = $1 }
    shadow.set(\.spread, number(fields["spread"], .offset))
    return shadow
  }

  // MARK: Decorations

  /// All of a style; one that is broken is left out.
  private mutating func decorations(_ field: Field) -> [AvatarStyle.Decoration]? {
    list(field, limit: ManifestLimits.decorations)?.compactMap { item in
      mapping(item, .decoration).flatMap { decoration($0) }
    }
  }

  private mutating func decoration(_ fields: Fields) -> AvatarStyle.Decoration? {
    let name = name(
      fields["name"], help: "name it as users list it, or leave `name` out to show it on everyone")
    let content = self.content(fields)
    let size = number(fields["size"], .size)
    let corner: AvatarStyle.Corner? = word(fields["corner"])
    let distance = pair(fields["at"], .offset, expected: "[x, y]")
    let gap = number(fields["gap"], .length)
    let condition: AvatarStyle.Decoration.Condition? = word(fields["when"])
    guard let content else { return nil }
    var decoration = AvatarStyle.Decoration(content)
    decoration.name = name
    if let size { decoration.size = size }
    if let corner { decoration.corner = corner }
    decoration.distance = distance.map { .init(x: $0.first, y: $0.second) }
    if let gap { decoration.gap = gap }
    decoration.condition = condition
    return decoration
  }

  /// Exactly one of `dot` and `badge`.
  private mutating func content(_ fields: Fields) -> AvatarStyle.Decoration.Content? {
    let dot = color(fields["dot"])
    guard let badge = fields["badge"] else {
      if fields["dot"] == nil {
        report(
          .error, .missingKey, "neither `dot` nor `badge` is there", at: fields.position,
          fields.path, help: "name the colour of a dot, or the file of a badge")
      }
      return dot.map { .dot($0) }
    }
    if fields["dot"] != nil {
      report(
        .conflict, "a decoration is a `dot` or a `badge`, not both", badge,
        help: "make two of it, or remove one of the keys")
    }
    guard let path = text(badge) else { return nil }
    guard !path.isEmpty else {
      report(.unknownValue, "the name of the file is empty", badge, help: "name a picture")
      return nil
    }
    return .badge(SourcePath(path), located(badge))
  }

  // MARK: Files

  private mutating func formats(_ field: Field) -> [OutputFormat]? {
    guard let items = filledList(field, limit: ManifestLimits.words) else { return nil }
    var formats: [OutputFormat] = []
    for item in items {
      if let format = format(item), !formats.contains(format) { formats.append(format) }
    }
    return formats
  }

  private mutating func format(_ field: Field) -> OutputFormat? {
    guard case .scalar(let scalar) = field.node.content,
      let why = OutputFormat.unsupported[scalar.text]
    else { return word(field) }
    let known = OutputFormat.allCases.map { "`\($0.rawValue)`" }
    report(
      .notSupported, "`\(scalar.text)` files are not written", field, note: why,
      help: "use \(known.joined(separator: ", "))")
    return nil
  }

  /// One number for all formats, or one for each.
  private mutating func maxBytes(_ field: Field) -> [OutputFormat: Int] {
    guard field.node.isScalar else { return numbers(mapping(field, .maxBytes), .bytes) }
    guard let bytes = whole(field, .bytes) else { return [:] }
    return Dictionary(OutputFormat.allCases.map { ($0, bytes) }) { first, _ in first }
  }

  private mutating func numbers(_ fields: Fields?, _ range: NumberRange) -> [OutputFormat: Int] {
    var numbers: [OutputFormat: Int] = [:]
    for format in OutputFormat.allCases {
      numbers[format] = whole(fields?[format.rawValue], range)
    }
    return numbers
  }

  // MARK: Helpers

  /// The value of each item; nil when one of them is wrong.
  private mutating func all<Value>(
    _ items: [Field]?, read: (inout FieldReader, Field) -> Value?
  ) -> [Value]? {
    let values = items?.compactMap { read(&self, $0) }
    return values?.count == items?.count ? values : nil
  }

  /// A percentage as a fraction; nil for anything else, which is not told.
  private mutating func fraction(_ field: Field, _ range: NumberRange) -> Double? {
    field.percentText.flatMap { number($0, range, field) }.map { $0 / 100 }
  }
}

extension Field {
  /// What stands before the `%`.
  fileprivate var percentText: String? {
    guard case .scalar(let scalar) = node.content, scalar.text.last == "%" else { return nil }
    return String(scalar.text.dropLast())
  }
}
