import Diagnostics
import Documents
import Recipes

extension FieldReader {
  /// The words of `exports`, and what `icons` says; naming an icon asks for icons.
  mutating func exports(_ fields: Fields, site: SiteDescription) -> Exports {
    var exports = Exports()
    for item in fields["exports"].flatMap({ list($0, limit: ManifestLimits.words) }) ?? [] {
      if let kind = word(item, Exports.Kind.byName) { exports.kinds.insert(kind) }
    }
    if let field = fields["icons"] {
      exports.icons = icons(field, site: site)
      exports.kinds.insert(.icons)
    } else if exports.contains(.icons), let field = fields["exports"] {
      report(
        .missingKey, "nothing says what the icons show", field,
        help: "write `icons: { from: logo.png }`")
    }
    // Names without what they name are of no use.
    if exports.contains(.swift) { exports.kinds.insert(.xcassets) }
    return exports
  }

  private mutating func icons(_ field: Field, site: SiteDescription) -> IconStyle? {
    guard let fields = mapping(field, .icons) else { return nil }
    let background = fields["background"].flatMap { color($0) } ?? IconStyle.defaultBackground
    guard
      let item = required("from", of: fields, help: "name a picture, as in `from: logo.png`"),
      let text = text(item, limit: .max)
    else { return nil }
    guard !text.isBlank else {
      report(
        .missingKey, "nothing says what the icons show", item,
        help: "name a picture, as in `from: logo.png`")
      return nil
    }
    guard var kind = AvatarSource.Kind(source: text) else {
      report(
        .badColor, "\(text.quoted) names no colour", item,
        help: "write a colour after `color:`, such as color:#5856d6")
      return nil
    }
    switch kind {
    case .initials:
      kind = .initials(
        Monogram(
          name: site.title, id: site.title,
          ground: fields["background"] == nil ? nil : background))
    case .identicon: kind = .identicon(site.title)
    case .file, .color, .remote, .inline, .faulty: break
    }
    return IconStyle(
      source: kind, background: background,
      place: FileLocation(file: file, position: item.node.position), path: item.path.text ?? "")
  }

  /// All of `strips`; one that is broken is left out.
  mutating func strips(_ field: Field) -> [ShadowStrip] {
    guard case .sequence = field.node.content else {
      reportType(field, expected: "a list of strips")
      return []
    }
    guard let items = list(field, limit: ManifestLimits.strips) else { return [] }
    var names = NameBook(of: "strips")
    var strips: [ShadowStrip] = []
    for item in items {
      guard let fields = mapping(item, .strip) else { continue }
      if let strip = strip(fields, &names) { strips.append(strip) }
    }
    return strips
  }

  private mutating func strip(_ fields: Fields, _ names: inout NameBook) -> ShadowStrip? {
    let title = name(of: "a strip", fields, &names)
    let colorField = required(
      "color", of: fields, help: "name a colour, in quotes if it begins with #")
    let tone = colorField.flatMap { color($0) }
    let radius = fields["radius"].flatMap { number($0, .length) } ?? 0
    let offset = fields["offset"].flatMap { number($0, .offset) } ?? 0
    let edge = fields["edge"].flatMap { word($0, ShadowStrip.Edge.byName) } ?? .below
    guard let title, let tone else { return nil }
    let strip = ShadowStrip(
      name: title, color: tone, radius: radius, offset: offset, edge: edge,
      place: FileLocation(file: file, position: fields.position), path: fields.path.text ?? "")
    if strip.height > ManifestLimits.stripHeight {
      diagnostics.add(
        Diagnostic(
          .error, .outOfRange, "a shadow of \(strip.height) points is too high for a strip",
          at: strip.place, path: strip.path,
          help: "three times the radius and the offset are at most "
            + "\(ManifestLimits.stripHeight) points"))
    }
    return strip
  }
}

extension Exports.Kind {
  fileprivate static let byName = allCases.map { (key: $0.rawValue, value: $0) }
}

extension ShadowStrip.Edge {
  fileprivate static let byName = allCases.map { (key: $0.rawValue, value: $0) }
}
