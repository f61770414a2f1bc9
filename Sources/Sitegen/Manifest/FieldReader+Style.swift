import Documents
import Imaging

extension FieldReader {
  /// One entry of `avatars`, as far as it can be read.
  mutating func styleDraft(_ field: Field) -> StyleDraft {
    var draft = StyleDraft(path: field.path, position: field.node.position)
    let errors = diagnostics.count(.error)
    if let fields = mapping(field, .style) {
      for key in KeyTable.style.keys {
        guard let value = fields[key] else { continue }
        draft.places[key] = value.node.position
        read(key, value, into: &draft)
      }
    }
    draft.isBroken = diagnostics.count(.error) > errors
    return draft
  }

  private mutating func read(_ key: String, _ field: Field, into draft: inout StyleDraft) {
    switch key {
    case "name": draft.name = styleName(field) ?? draft.name
    case "from": draft.parent = text(field).map { ($0, field) }
    case "size": draft.size = size(field)
    case "scales": draft.scales = scales(field)
    case "shape":
      draft.outline = word(
        field, ["circle": .circle, "rounded": .rounded, "square": .square],
        later: ["continuous"])
    case "radius": draft.radius = radius(field)
    case "corners": draft.corners = corners(field)
    case "fit":
      draft.fit = word(field, ["fill": .fill, "contain": .contain, "stretch": .stretch])
    case "focus": draft.focus = focus(field)
    case "border": draft.border = border(field)
    case "background": draft.background = color(field)
    case "underlay": draft.underlay = boolean(field)
    case "opaque": draft.opaque = boolean(field)
    case "formats": draft.formats = formats(field)
    case "quality": draft.quality = quality(field)
    default: preconditionFailure("every key of the table has its case")
    }
  }

  // MARK: One key each

  private mutating func styleName(_ field: Field) -> String? {
    guard let name = text(field, limit: ManifestLimits.nameBytes, id: .badName) else { return nil }
    let isName = name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
    }
    if isName && !name.isEmpty { return name }
    report(
      .badName, "\(name.quoted) is no name for a style", field,
      help: "names are made of a-z, 0-9 and -")
    return nil
  }

  private mutating func size(_ field: Field) -> (width: Double, height: Double)? {
    guard case .sequence(let items) = field.node.content else {
      guard case .scalar = field.node.content else {
        reportType(field, expected: "a number or [width, height]")
        return nil
      }
      return number(field, .size).map { ($0, $0) }
    }
    guard items.count == 2 else {
      reportType(field, expected: "a number or [width, height]")
      return nil
    }
    let sides = items.enumerated().map {
      number(Field(node: $1, path: .item($0, of: field.path)), .size)
    }
    guard let width = sides[0], let height = sides[1] else { return nil }
    return (width, height)
  }

  private mutating func scales(_ field: Field) -> [Double]? {
    guard let items = filledList(field, limit: ManifestLimits.scales) else { return nil }
    let scales = items.compactMap { number($0, .scale) }
    return scales.count == items.count ? Set(scales).sorted() : nil
  }

  private mutating func radius(_ field: Field) -> AvatarStyle.Length? {
    if let text = percentText(field) {
      return number(text, .percentage, field).map { .fraction($0 / 100) }
    }
    return number(field, .length).map(AvatarStyle.Length.points)
  }

  private mutating func corners(_ field: Field) -> Set<AvatarStyle.Corner>? {
    guard let items = filledList(field, limit: ManifestLimits.words) else { return nil }
    let corners = items.compactMap {
      word(
        $0,
        [
          "tl": AvatarStyle.Corner.topLeft, "tr": .topRight, "br": .bottomRight,
          "bl": .bottomLeft,
        ])
    }
    return corners.count == items.count ? Set(corners) : nil
  }

  private mutating func focus(_ field: Field) -> Focus? {
    guard case .sequence(let items) = field.node.content, items.count == 2 else {
      reportType(field, expected: "two percentages, such as [50%, 40%]")
      return nil
    }
    var point: [Double] = []
    for (index, node) in items.enumerated() {
      let item = Field(node: node, path: .item(index, of: field.path))
      if let text = percentText(item) {
        if let value = number(text, .percentage, item) { point.append(value / 100) }
      } else {
        reportType(item, expected: "a percentage, such as 40%")
      }
    }
    return point.count == 2 ? Focus(x: point[0], y: point[1]) : nil
  }

  /// What stands before the `%`.
  private func percentText(_ field: Field) -> String? {
    guard case .scalar(let scalar) = field.node.content, scalar.text.last == "%" else {
      return nil
    }
    return String(scalar.text.dropLast())
  }

  private mutating func border(_ field: Field) -> StyleDraft.BorderDraft? {
    guard let fields = mapping(field, .border) else { return nil }
    var border = StyleDraft.BorderDraft()
    border.width = fields["width"].flatMap { number($0, .length) }
    border.color = fields["color"].flatMap { color($0) }
    border.mode = fields["mode"].flatMap { word($0, ["over": .over, "inset": .inset]) }
    border.hidden = fields["hidden"].flatMap { boolean($0) }
    border.allowNonSquare = fields["allowNonSquare"].flatMap { boolean($0) }
    return border
  }

  private mutating func formats(_ field: Field) -> [OutputFormat]? {
    guard let items = filledList(field, limit: ManifestLimits.words) else { return nil }
    var formats: [OutputFormat] = []
    for item in items {
      let format = word(
        item, ["png": OutputFormat.png, "webp": .webp, "jpeg": .jpeg], later: ["avif"])
      if let format, !formats.contains(format) { formats.append(format) }
    }
    return formats
  }

  private mutating func quality(_ field: Field) -> [OutputFormat: Int] {
    guard let fields = mapping(field, .quality) else { return [:] }
    var quality: [OutputFormat: Int] = [:]
    for format in OutputFormat.allCases {
      guard let value = fields[format.rawValue], let number = number(value, .quality) else {
        continue
      }
      if let whole = Int(exactly: number) {
        quality[format] = whole
      } else {
        report(
          .outOfRange, "\(number.plain) is no whole number", value, help: NumberRange.quality.text)
      }
    }
    return quality
  }
}
