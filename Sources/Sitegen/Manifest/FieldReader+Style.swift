import Diagnostics
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
        field,
        ["circle": .circle, "rounded": .rounded, "continuous": .continuous, "square": .square])
    case "radius": draft.radius = radius(field)
    case "corners": draft.corners = corners(field)
    case "fit":
      draft.fit = word(field, ["fill": .fill, "contain": .contain, "stretch": .stretch])
    case "focus": draft.focus = focus(field)
    case "grayscale": draft.grayscale = boolean(field)
    case "tint": draft.tint = color(field)
    case "blur": draft.blur = number(field, .length)
    case "border": draft.border = border(field)
    case "background": draft.background = color(field)
    case "underlay": draft.underlay = boolean(field)
    case "overlay": draft.overlay = overlay(field)
    case "shadow": draft.shadow = shadow(field)
    case "opaque": draft.opaque = boolean(field)
    case "decorations": draft.decorations = decorations(field)
    case "formats": draft.formats = formats(field)
    case "quality": draft.quality = quality(field)
    case "maxBytes": draft.maxBytes = maxBytes(field)
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
    let expected = "a number or [width, height]"
    switch field.node.content {
    case .scalar: return number(field, .size).map { ($0, $0) }
    case .sequence: return pair(field, .size, expected: expected).map { ($0, $1) }
    case .mapping:
      reportType(field, expected: expected)
      return nil
    }
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
    let corners = items.compactMap { corner($0) }
    return corners.count == items.count ? Set(corners) : nil
  }

  mutating func corner(_ field: Field) -> AvatarStyle.Corner? {
    word(field, AvatarStyle.Corner.allCases.map { ($0.rawValue, $0) })
  }
}
