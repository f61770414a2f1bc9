import Bytes
import Diagnostics
import Documents
import Recipes

// Everything but styles and users.
extension FieldReader {
  // MARK: Site and pages

  mutating func site(_ field: Field?, words: Field?) -> SiteDescription {
    var site = SiteDescription()
    for (key, field) in mapping(words, .words)?.values ?? [] { site.words[key] = text(field) }
    guard let fields = mapping(field, .site) else { return site }
    if let title = text(fields["title"]), !title.isBlank { site.title = title }
    site.description = text(fields["description"], allowsLines: true)
    site.url = siteURL(fields["url"])
    guard let language = fields["language"], let tag = text(language) else { return site }
    if isLanguageTag(tag) {
      site.language = tag
    } else {
      report(
        .badLanguage, "\(tag.quoted) is no language tag", language,
        help: "write a tag such as en, de or pt-BR")
    }
    return site
  }

  private mutating func siteURL(_ field: Field?) -> String? {
    guard let field, let text = text(field), !text.isEmpty else { return nil }
    if let url = WebURL.site(text) { return url }
    report(
      .badLink, "\(text.quoted) is no address of a site", field,
      help: "write where its first page will be, such as https://example.org/team/")
    return nil
  }

  mutating func namedFile(_ field: Field?) -> NamedFile? {
    guard let field, let path = text(field), !path.isEmpty else { return nil }
    return NamedFile(path: path, location: located(field).location)
  }

  /// `users` are whom `examples` may name; nil where that is not known.
  mutating func pages(_ field: Field?, styles: [AvatarStyle], users: [User]?) -> PageSettings {
    var pages = PageSettings()
    if let field, case .scalar = field.node.content {
      pages.areMade = boolean(field) ?? true
      return pages
    }
    guard let fields = mapping(field, .pages) else { return pages }
    pages.size = whole(fields["size"], .pageSize) ?? pages.size
    pages.show = shownStyles(fields["show"], among: styles)
    pages.theme = theme(fields["theme"])
    pages.people = boolean(fields["people"]) ?? pages.people
    pages.tags = boolean(fields["tags"]) ?? pages.tags
    pages.styles = boolean(fields["styles"]) ?? pages.styles
    pages.cards = boolean(fields["cards"]) ?? pages.cards
    pages.problems = boolean(fields["problems"]) ?? pages.problems
    pages.cardColor = color(fields["cardColor"])?.over(.white) ?? pages.cardColor
    pages.examples = examples(fields["examples"], among: users)
    return pages
  }

  private mutating func examples(_ field: Field?, among users: [User]?) -> [String]? {
    guard let items = filledList(field, limit: ManifestLimits.examples) else { return nil }
    let ids = users.map { Set($0.lazy.map(\.id)) }
    var examples: [String] = []
    for item in items {
      guard let id = text(item, limit: ManifestLimits.idBytes, id: .badID) else { continue }
      examples.append(id)
      guard let ids, let users, !ids.contains(id) else { continue }
      let near = nearest(to: id, among: users.lazy.map(\.id))
      report(
        .unknownUser, "there is no user with the id \(id.quoted)", item,
        help: near.map { "did you mean `\($0)`?" } ?? "name the ids of users")
    }
    return examples
  }

  private mutating func shownStyles(_ field: Field?, among styles: [AvatarStyle]) -> [Int]? {
    guard let field else { return nil }
    var shown: [Int] = []
    for item in filledList(field, limit: ManifestLimits.styles) ?? [] {
      if let index = style(item, among: styles), !shown.contains(index) { shown.append(index) }
    }
    return shown
  }

  /// A style by its name, as an index.
  private mutating func style(_ field: Field?, among styles: [AvatarStyle]) -> Int? {
    guard let field, let name = text(field) else { return nil }
    if let index = styles.firstIndex(where: { $0.name == name }) { return index }
    reportUnknown("style", name, .unknownStyle, field, among: styles.map(\.name))
    return nil
  }

  private mutating func theme(_ field: Field?) -> NamedTheme? {
    guard let field, let name = text(field, limit: ManifestLimits.nameBytes, id: .badName) else {
      return nil
    }
    guard name.isWord else {
      report(
        .badName, "\(name.quoted) is no name of a theme", field,
        help: "names of themes have the characters a-z, 0-9 and -")
      return nil
    }
    return NamedTheme(name: name, location: located(field).location)
  }

  // MARK: Network

  static let severities: [(key: String, value: Diagnostic.Severity?)] = [
    ("off", nil), ("note", .note), ("warning", .warning),
  ]

  /// One word for all notices, or one for some; the others are as they are without.
  mutating func notices(_ field: Field?) -> [Notice: Diagnostic.Severity] {
    var notices: [Notice: Diagnostic.Severity] = [:]
    for notice in Notice.allCases { notices[notice] = notice == .textless ? .warning : .note }
    if let field, case .scalar = field.node.content {
      guard let severity = word(field, Self.severities) else { return notices }
      for notice in Notice.allCases { notices[notice] = severity }
      return notices
    }
    guard let fields = mapping(field, .notices) else { return notices }
    for notice in Notice.allCases {
      if let severity = word(fields[notice.rawValue], Self.severities) {
        notices[notice] = severity
      }
    }
    return notices
  }

  /// How pictures are fetched; with the defaults where something is wrong.
  mutating func network(_ field: Field?) -> NetworkSettings {
    var network = NetworkSettings()
    guard let fields = mapping(field, .network) else { return network }
    for item in list(fields["allow"], limit: ManifestLimits.networks) ?? [] {
      allow(item, in: &network)
    }
    for item in list(fields["ports"], limit: ManifestLimits.networks) ?? [] {
      if let port = whole(item, .port) { network.ports.append(UInt16(port)) }
    }
    if let days = number(fields["maxStale"], .days) { network.maxStale = Int64(days * 86_400) }
    network.perHost = whole(fields["perHost"], .connections) ?? network.perHost
    network.overall = whole(fields["overall"], .connections) ?? network.overall
    network.proxy = proxy(fields["proxy"]) ?? network.proxy
    if let services = mapping(fields["services"], .services) {
      for (key, service) in [
        ("gravatar", \RemoteServices.gravatar), ("libravatar", \.libravatar), ("github", \.github),
      ] {
        guard let field = services[key], let text = text(field),
          let address = address(text, of: "service", field)
        else { continue }
        network.services[keyPath: service] = address
      }
    }
    return network
  }

  private mutating func allow(_ field: Field, in network: inout NetworkSettings) {
    guard let text = text(field) else { return }
    let word = text.lowercased()
    let name = word.hasSuffix(".") ? String(word.dropLast()) : word
    // Whoever resolves a name takes it for an address if its last label is a number.
    let isNumber = name.split(separator: ".").last?.utf8.allSatisfy(\.isASCIIDigit) ?? true
    if NetworkRange(word) != nil {
      network.networks.append(word)
    } else if HostName.isValid(word), word.utf8.count <= 253, !isNumber {
      network.hosts.append(name)
    } else {
      report(
        .badNetwork, "\(text.quoted) is neither a network nor the name of a host", field,
        help: "write a network such as 10.0.0.0/8 or fd00::/8, or a name without port and path")
    }
  }

  private mutating func proxy(_ field: Field?) -> NetworkSettings.Proxy? {
    guard let field, let text = text(field) else { return nil }
    switch text {
    case "none": return NetworkSettings.Proxy.none
    case "environment": return .environment
    default: return address(text, of: "proxy", field).map { .url($0) }
    }
  }

  /// What was written is not repeated: there may be a password in it.
  private mutating func address(_ text: String, of kind: String, _ field: Field) -> String? {
    switch RemoteServices.mirror(text) {
    case .success(let address): return address
    case .failure(let failure):
      report(
        .badLink, "this is no address of a \(kind)", field, note: failure.detail,
        help: "write http:// or https://, a host and perhaps a port, without user and password")
      return nil
    }
  }

  // MARK: Exports

  /// The words of `exports`, and what `icons` says; naming an icon asks for icons.
  mutating func exports(
    _ fields: Fields, site: SiteDescription, styles: [AvatarStyle]
  ) -> Exports {
    var exports = Exports()
    for item in list(fields["exports"], limit: ManifestLimits.words) ?? [] {
      if let kind: Exports.Kind = word(item) { exports.kinds.insert(kind) }
    }
    if let field = fields["icons"] {
      exports.icons = icons(field, site: site)
      exports.kinds.insert(.icons)
    } else if exports.contains(.icons), let field = fields["exports"] {
      report(
        .missingKey, "nothing says what the icons show", field,
        help: "write `icons: { from: logo.png }`")
    }
    if let field = fields["poster"] {
      exports.poster = poster(field, among: styles)
      exports.kinds.insert(.poster)
    } else if exports.contains(.poster), let field = fields["exports"] {
      exports.poster = PosterStyle(declared: located(field))
    }
    // The constants name what the catalog holds.
    if exports.contains(.swift) { exports.kinds.insert(.xcassets) }
    return exports
  }

  private mutating func icons(_ field: Field, site: SiteDescription) -> IconStyle? {
    guard let fields = mapping(field, .icons) else { return nil }
    let background = color(fields["background"]) ?? .white
    let help = "name a picture, as in `from: logo.png`"
    guard let item = required("from", of: fields, help: help), let text = text(item, limit: .max)
    else { return nil }
    guard !text.isBlank else {
      report(.missingKey, "nothing says what the icons show", item, help: help)
      return nil
    }
    guard let source = source(text, item) else { return nil }
    let ground = fields["background"] == nil ? nil : background
    return IconStyle(
      key: SourceKey(source, name: site.title, id: site.title, background: ground),
      background: background, declared: located(item))
  }

  private mutating func poster(_ field: Field, among styles: [AvatarStyle]) -> PosterStyle {
    var poster = PosterStyle(declared: located(field))
    guard let fields = mapping(field, .poster) else { return poster }
    poster.style = style(fields["style"], among: styles)
    poster.columns = whole(fields["columns"], .columns)
    poster.gap = whole(fields["gap"], .gap) ?? poster.gap
    poster.size = whole(fields["size"], .posterSize) ?? poster.size
    let appearances = ButtonStyle.Appearance.allCases
    let words = [("auto", appearances)] + appearances.map { ($0.rawValue, [$0]) }
    poster.appearances = word(fields["appearance"], words) ?? appearances
    let tiers = filledList(fields["tiers"], limit: ManifestLimits.tags)
    poster.tiers = (tiers ?? []).compactMap { tier($0, size: poster.size) }
    if poster.tiers.isEmpty { poster.tiers = [PosterStyle.Tier(size: poster.size)] }
    return poster
  }

  /// A tag, which is the title too, or a mapping.
  private mutating func tier(_ field: Field, size: Int) -> PosterStyle.Tier? {
    if case .scalar = field.node.content {
      return text(field).map { PosterStyle.Tier(tag: $0, title: $0, size: size) }
    }
    guard let fields = mapping(field, .tier) else { return nil }
    let tag = text(fields["tag"])
    return PosterStyle.Tier(
      tag: tag, title: text(fields["title"]) ?? tag,
      size: whole(fields["size"], .posterSize) ?? size)
  }

  mutating func strips(_ field: Field?) -> [ShadowStrip] {
    namedThings(field, .strip, "strips", limit: ManifestLimits.strips) { reader, fields, name in
      reader.strip(fields, name)
    }
  }

  private mutating func strip(_ fields: Fields, _ name: String?) -> ShadowStrip? {
    let color = color(required("color", of: fields, help: Self.colorHelp))
    let radius = number(fields["radius"], .length) ?? 0
    let offset = number(fields["offset"], .offset) ?? 0
    let edge: ShadowStrip.Edge? = word(fields["edge"])
    guard let name, let color else { return nil }
    let strip = ShadowStrip(
      name: name, color: color, radius: radius, offset: offset, edge: edge ?? .below,
      declared: located(fields.path, at: fields.position))
    if strip.height > ManifestLimits.stripHeight {
      diagnostics.add(
        Diagnostic(
          .error, .outOfRange, "a shadow of \(strip.height) points is too high for a strip",
          at: strip.declared.location, path: strip.declared.path,
          help: "three times the radius and the offset are at most "
            + "\(ManifestLimits.stripHeight) points"))
    }
    return strip
  }

  private static let colorHelp = "name a colour, in quotes if it begins with #"

  // MARK: Buttons

  mutating func buttons(_ field: Field?) -> [ButtonStyle] {
    namedThings(field, .button, "buttons", limit: ManifestLimits.buttons) { reader, fields, name in
      reader.button(fields, name)
    }
  }

  private mutating func button(_ fields: Fields, _ name: String?) -> ButtonStyle? {
    let errors = diagnostics.count(.error)
    let normal = required("normal", of: fields, help: Self.colorHelp)
    let light = words(of: fields, in: .light, normal: normal)
    let darkFields = mapping(fields["dark"], .appearance)
    // Words are inherited, not colours: `auto` is another shade on another page.
    let dark = darkFields.map {
      words(of: $0, in: .dark, normal: $0["normal"]).inheriting(light)
    }
    for key in ["disabled", "selected", "focused"] where fields[key] == nil {
      guard let field = darkFields?[key] else { continue }
      report(
        .missingKey, "only the dark appearance has `\(key)`", field,
        help: "add `\(key)` to the button too; `\(key): same` is its normal colour")
    }
    // Where a word is wrong, its contrast means nothing.
    if diagnostics.count(.error) == errors {
      light.checkContrast(fields["title"], reporting: &self)
      dark?.checkContrast(darkFields?["title"] ?? fields["title"], reporting: &self)
    }
    let radius = number(fields["radius"], .length) ?? 0
    let border = edge(fields["border"])
    var emit: Set<ButtonStyle.Emission> = []
    for item in filledList(fields["emit"], limit: ManifestLimits.words) ?? [] {
      if let word: ButtonStyle.Emission = word(item) { emit.insert(word) }
    }
    let isTemplate = boolean(fields["template"]) ?? false
    guard let colors = light.colors, let name else { return nil }
    var button = ButtonStyle(
      name: name, light: colors, declared: located(fields.path, at: fields.position))
    (button.dark, button.radius, button.border) = (dark?.colors, radius, border)
    button.isTemplate = isTemplate
    if !emit.isEmpty { button.emit = emit }
    return button
  }

  /// What stands in one appearance.
  private mutating func words(
    of fields: Fields, in appearance: ButtonStyle.Appearance, normal: Field?
  ) -> ButtonWords {
    var words = ButtonWords(appearance: appearance, normal: normalColor(normal))
    for state in ButtonStyle.State.allCases where state != .normal {
      words.states[state] = fields[state.rawValue].flatMap { self.state($0) }
    }
    words.title = color(fields["title"])
    return words
  }

  /// A colour that does not follow from another.
  private mutating func normalColor(_ field: Field?) -> Color? {
    guard let field, field.node.isWord("auto") || field.node.isWord("same") else {
      return color(field)
    }
    report(
      .badColor, "`normal` is what the other states start from", field, help: "name a colour")
    return nil
  }

  /// A colour, `same` as normal, or `auto`: a shade of it.
  private mutating func state(_ field: Field) -> ButtonWords.Word? {
    if field.node.isWord("same") { return .same }
    return field.node.isWord("auto") ? .auto : color(field).map { .color($0) }
  }

  /// Without a colour or a width there is none.
  private mutating func edge(_ field: Field?) -> ButtonStyle.Edge? {
    guard let fields = mapping(field, .edge) else { return nil }
    let width = number(fields["width"], .length) ?? 1
    guard let color = color(fields["color"]), width > 0 else { return nil }
    return ButtonStyle.Edge(width: width, color: color)
  }

  /// A button whose bitmaps are wanted has corners of a size that bitmaps can have.
  mutating func checkBitmaps(of buttons: [ButtonStyle], _ exports: Exports) {
    let areForApps = exports.contains(.xcassets) || exports.contains(.android)
    for button in buttons
    where (areForApps || button.emit.contains(.png)) && button.cap > ManifestLimits.bitmapCap {
      diagnostics.add(
        Diagnostic(
          .error, .outOfRange,
          "a corner of \(button.cap.plain) points is too large for a bitmap",
          at: button.declared.location, path: button.declared.path,
          help: "write at most \(ManifestLimits.bitmapCap.plain); half of the height is a capsule"))
    }
  }
}
