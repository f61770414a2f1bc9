import Bytes
import Diagnostics
import Documents
import Recipes

// The keys of everything but styles, buttons and users.

extension Manifest {
  /// `fallback` and `users` are read after all others.
  static let keys = {
    var keys = Keys<Manifest>("the manifest") {
      $0.add(
        "version", .number(.version).described("`\(ManifestLimits.version)`"),
        required: NumberRange.version.text, "The version of this format.")
      $0.add(
        "site", .mapping(SiteDescription.keys, SiteDescription()),
        "Title, language and address of the site."
      ) { $0.site = $1 }
      $0.add("avatars", .styles, to: \.styles, default: "one style", "How pictures look.")
      $0.add(
        "buttons",
        .named(WrittenButton.keys, "buttons", upTo: ManifestLimits.buttons, name: \.style.name) {
          WrittenButton($0)
        }, "Backgrounds of buttons."
      ) { $0.buttons = $1.map(\.style) }
      $0.add(
        "users",
        Kind.either(
          .onlyList(.mapping(User.keys, ()), 0...Int.max, of: "users"),
          Kind.mapping(User.listKeys, ()).map { [$0] }
        ).unread,
        "The people; may be missing only if there are `buttons`, `strips` or `icons`.")
      $0.add(
        "fallback", Kind.list(Kind.source.orNull, 0...ManifestLimits.avatarsOfOneUser).unread,
        "Is tried after all sources in a user's `avatar`, and is the only source of users "
          + "without `avatar` and `background`.")
      $0.add(
        "allowOutside", .boolean, to: \.allowOutside, default: "`false`",
        "Pictures, badges, `font` and `from` may be outside the manifest's folder.")
      $0.add("font", .path, "A TrueType or OpenType font, tried before all others for initials.") {
        $0.font = $1
      }
      $0.add(
        "strips",
        .named(ShadowStrip.keys, "strips", upTo: ManifestLimits.strips, name: \.name) {
          ShadowStrip(name: "", color: .black, radius: 0, offset: 0, edge: .below, declared: $0)
        }, to: \.strips, "Shadows along an edge.")
      $0.add(
        "exports", .list(.words(Exports.Kind.self), 0...ManifestLimits.words),
        "What to make beside the gallery, see [exports](../exports.md)."
      ) { $0.exports.kinds.formUnion($1) }
      $0.add(
        "icons", .mapping(WrittenIcons.keys, WrittenIcons()),
        "Icons of the site; implies `icons` in `exports`."
      ) { manifest, icons in
        manifest.exports.kinds.insert(.icons)
        manifest.exports.icons = icons.style(for: manifest.site)
      }
      $0.add(
        "poster", .mapping(PosterStyle.keys) { PosterStyle(declared: $0) },
        "The picture of everybody; implies `poster` in `exports`."
      ) {
        $0.exports.kinds.insert(.poster)
        $0.exports.poster = $1
      }
      $0.add(
        "pages",
        .either(
          Kind.boolean.map { PageSettings(areMade: $0) },
          .mapping(PageSettings.keys, PageSettings())), to: \.pages, default: "`true`",
        "The pages of the gallery; `false` makes none.")
      $0.add(
        "network", .mapping(NetworkSettings.keys, NetworkSettings()), to: \.network,
        "Which hosts pictures may come from, and how they are fetched.")
      $0.add(
        "words", .mapping(SiteDescription.stringKeys, [:]), default: "those of the language",
        "What the pages say instead."
      ) { $0.site.strings = $1 }
      $0.add(
        "notices",
        .either(
          Kind.severity.map { severity in
            var notices: [Notice: Diagnostic.Severity] = [:]
            for notice in Notice.allCases { notices[notice] = severity }
            return notices
          }, .mapping(Notice.keys, Notice.defaults)), to: \.notices, default: "see below",
        "How pictures are reported that are shown but may be wrong.")
      $0.add(
        "keepOld", .days, to: \.keepOld, default: "`0`",
        "How long pictures stay in `assets/` that no page names any more.")
      $0.add("$schema", .text(), "For editors, and nothing else.")
    }
    keys.check = { reader, fields, manifest in
      guard let field = fields["exports"] else { return }
      if manifest.exports.contains(.icons), fields["icons"] == nil {
        reader.report(
          .missingKey, "`icons` is missing, which names the picture of the icons", field,
          help: "write `icons: { from: logo.png }`")
      }
      if manifest.exports.contains(.poster), fields["poster"] == nil {
        manifest.exports.poster = PosterStyle(declared: reader.located(field))
      }
      // The constants name what the catalog holds.
      if manifest.exports.contains(.swift) { manifest.exports.kinds.insert(.xcassets) }
    }
    return keys
  }()
}

// MARK: - Site and pages

extension SiteDescription {
  static let keys = Keys<SiteDescription>("site") {
    $0.add("title", .text(), default: "`Gallery`", "The title of the pages.") {
      if !$1.isBlank { $0.title = $1 }
    }
    $0.add("description", .lines, to: \.description, "The text below the title.")
    $0.add(
      "language", .language, to: \.language, default: "`en`",
      "Such as `de` or `pt-BR`; the words of the pages are built in for `en`, `de`, `es`, `fr` and "
        + "`zh`, others are English.")
    $0.add(
      "url", .siteURL,
      "The URL of the first page, such as `https://example.org/team/`, without user, query, "
        + "fragment, `.` and `..`; needed for `sitemap.xml`, `robots.txt` and link previews."
    ) { $0.url = $1 }
  }

  /// The keys of templates/words-en.json.
  static let stringKeys = Keys<[String: String]>("the words") {
    for name in """
    allPeople allStyles allTags asListed buttons bytes card checker close colour copied copy
    copyPicture copyRefused dark density files findFailed format formats found foundOne
    foundTitle ground howMade light look madeFrom more nameDown nameUp next nobodyFound
    nobodyIsLike nobodyListed notOnCards order overlay ownPage page pageGround pageNumber pages
    people personFailed picture pictures pixels place previous scale search searchFailed
    searchTags seeButtons showAll showMore site skipToButtons skipToContent skipToPeople
    skipToPictures skipToStyles skipToTags start style styles tag tags thisScreen zoom
    """.split(whereSeparator: \.isWhitespace).map(String.init) {
      $0.add(name, .text(), "") { $0[name] = $1 }
    }
  }
}

extension PageSettings {
  static let keys = Keys<PageSettings>(
    "pages", removed: ["feed": "remove it; programs find all people in `assets.json`"]
  ) {
    $0.add("size", .whole(.pageSize), to: \.size, default: "`100`", "People on a page.")
    $0.add(
      "show", .list(.styleName, 1...ManifestLimits.styles), default: "the first of a person",
      "The styles on the cards; the pages of the styles have the others."
    ) { $0.show = $1.distinct }
    $0.add(
      "theme", .theme, to: \.theme,
      "`compact`, `wall` or your own, see [themes](../../templates/README.md#themes).")
    $0.add("people", .boolean, to: \.people, default: "`false`", "Makes a page for each person.")
    $0.add("tags", .boolean, to: \.tags, default: "`true`", "Makes a page for each tag.")
    $0.add("styles", .boolean, to: \.styles, default: "`true`", "Makes a page for each style.")
    $0.add(
      "examples",
      .list(.text(limit: ManifestLimits.idBytes, id: .badID), 1...ManifestLimits.examples),
      to: \.examples, default: "the first six with a picture",
      "Ids of the people on the page of the styles.")
    $0.add(
      "cards", .boolean, to: \.cards, default: "`false`",
      "Makes a contact card (vCard) for each person.")
    $0.add(
      "cardColor", .color, default: "`#f7f7f5`",
      "The background of [the picture of the team](../gallery.md#the-picture-of-the-team); a "
        + "translucent one is laid on white."
    ) { $0.cardColor = $1.over(.white) }
    $0.add(
      "problems", .boolean, to: \.problems, default: "`false`",
      "Shows on the pages whose picture is not the wanted one and why, with a search by status.")
  }
}

extension Notice {
  static let defaults = Dictionary(
    uniqueKeysWithValues: allCases.map {
      ($0, $0 == .textless ? Diagnostic.Severity.warning : .note)
    })

  static let keys = Keys<[Notice: Diagnostic.Severity]>(
    "notices", removed: ["plain": "remove it", "round": "remove it"]
  ) {
    for notice in allCases {
      $0.add(
        notice.rawValue, .severity, default: defaults[notice].map { "`\($0.rawValue)`" },
        notice.meaning
      ) { $0[notice] = $1 }
    }
  }

  private var meaning: String {
    switch self {
    case .same: "Several people have the same picture, or one that was saved or scaled again."
    case .small: "A picture has fewer pixels than the largest image of it."
    case .faceless: "A style looked for a face, and found none."
    case .textless: "An SVG has text, whose letters are not drawn."
    }
  }
}

// MARK: - Network

extension NetworkSettings {
  static let keys = Keys<NetworkSettings>("the network") {
    $0.add(
      "allow", .list(.host, 0...ManifestLimits.networks),
      "Networks and hosts that are allowed although they are not public, such as `10.0.0.0/8`, "
        + "`fd00::/8` and `intranet.example.org`."
    ) {
      $0.networks = $1.filter { NetworkRange($0) != nil }
      $0.hosts = $1.filter { NetworkRange($0) == nil }
    }
    $0.add("ports", .list(.whole(.port), 0...ManifestLimits.networks), "Allowed beside 80 and 443.")
    { $0.ports = $1.map { UInt16($0) } }
    $0.add(
      "maxStale", .days, to: \.maxStale, default: "`30`",
      "How long the last good picture stays if its source fails; 0: not at all.")
    $0.add(
      "perHost", .whole(.connections), to: \.perHost, default: "`4`",
      "Requests at once to one host.")
    $0.add(
      "overall", .whole(.connections), to: \.overall, default: "`16`",
      "Requests at once to all hosts.")
    $0.add(
      "proxy", .address(of: "proxy", or: ["none", "environment"]), default: "`none`",
      "`environment` takes the one of `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`; a "
        + "URL has no user and no password."
    ) { $0.proxy = $1 == "none" ? .none : $1 == "environment" ? .environment : .url($1) }
    $0.add(
      "services", .mapping(RemoteServices.keys, RemoteServices()), to: \.services,
      "Mirrors of avatar services, or servers with the same interface.")
  }
}

extension RemoteServices {
  static let keys = Keys<RemoteServices>("services") {
    let usual = RemoteServices()
    $0.add(
      "gravatar", .address(of: "service"), to: \.gravatar, default: "`\(usual.gravatar)`",
      "Is asked for `/avatar/HASH?s=PIXELS&d=404`.")
    $0.add(
      "libravatar", .address(of: "service"), to: \.libravatar, default: "`\(usual.libravatar)`",
      "Is asked for the same.")
    $0.add(
      "github", .address(of: "service"), to: \.github, default: "`\(usual.github)`",
      "Is asked for `/NAME.png?size=PIXELS`.")
  }
}

// MARK: - Exports

/// What `icons` says; initials need the title of the site as well.
struct WrittenIcons: Sendable {
  var source: AvatarSource.Kind?
  var declared: Located?
  var background: Color?

  func style(for site: SiteDescription) -> IconStyle? {
    guard let source, let declared else { return nil }
    return IconStyle(
      key: SourceKey(source, name: site.title, id: site.title, background: background),
      background: background ?? .white, declared: declared)
  }

  static let keys = Keys<WrittenIcons>("icons") {
    $0.add(
      "from", .icon, required: "name a picture, as in `from: logo.png`",
      "A picture, a colour, `initials` or an `identicon` of the site's title."
    ) { ($0.source, $0.declared) = ($1.source, $1.declared) }
    $0.add(
      "background", .color, to: \.background, default: "`white`",
      "Lies behind opaque icons, and is the background of `initials`.")
  }
}

extension PosterStyle {
  static let keys = {
    var keys = Keys<PosterStyle>("the poster") {
      $0.add(
        "style", .styleName, to: \.style, default: "the first of a person",
        "The style that is shown, or the first of a person who does not have it.")
      $0.add("size", .whole(.posterSize), to: \.size, default: "`40`", "Points a picture is wide.")
      $0.add(
        "columns", .whole(.columns), to: \.columns, default: "what fits into 800 points",
        "How many pictures of this size are side by side.")
      $0.add(
        "gap", .whole(.gap), to: \.gap, default: "`8`",
        "Points between pictures, and around all of them.")
      let appearances = ButtonStyle.Appearance.allCases
      $0.add(
        "appearance",
        .words([("auto", appearances)] + appearances.map { ($0.rawValue, [$0]) }),
        to: \.appearances, default: "`auto`",
        "`auto` follows the reader in `poster.svg`, and makes PNG files for both.")
      $0.add(
        "tiers",
        .list(
          .either(
            Kind.text().orNull.map { Tier(tag: $0, title: $0, size: 0) },
            .mapping(Tier.keys, Tier(size: 0))), 1...ManifestLimits.tags
        ).described("list of tags and [mappings](#a-tier)"),
        to: \.tiers, default: "everybody, without a heading", "People by tag, in this order.")
    }
    keys.check = { _, _, poster in
      for index in poster.tiers.indices {
        if poster.tiers[index].size == 0 { poster.tiers[index].size = poster.size }
        poster.tiers[index].title = poster.tiers[index].title ?? poster.tiers[index].tag
      }
      if poster.tiers.isEmpty { poster.tiers = [Tier(size: poster.size)] }
    }
    return keys
  }()
}

extension PosterStyle.Tier {
  static let keys = Keys<PosterStyle.Tier>("a tier") {
    $0.add(
      "tag", .text(), to: \.tag, "Who is in it; without one, everybody that is in no tier before.")
    $0.add("title", .text(), to: \.title, default: "the tag", "The heading.")
    $0.add(
      "size", .whole(.posterSize), to: \.size, default: "that of the poster",
      "Points a picture is wide.")
  }
}

extension ShadowStrip {
  static let keys = {
    var keys = Keys<ShadowStrip>("a strip") {
      $0.add("name", .name, to: \.name, required: "a strip needs a `name`", "The unique name.")
      $0.add(
        "color", .color, to: \.color, required: "name a colour, in quotes if it begins with #",
        "The colour of the shadow.")
      $0.add(
        "radius", .number(.length), to: \.radius, default: "`0`",
        "The standard deviation of the blur, in points.")
      $0.add(
        "offset", .number(.offset), to: \.offset, default: "`0`",
        "Points by which the shadow moves down.")
      $0.add(
        "edge", .words(Edge.self), to: \.edge, default: "`below`",
        "The side of the element with the shadow on which the strip is.")
    }
    keys.check = { reader, _, strip in
      guard strip.height > ManifestLimits.stripHeight else { return }
      reader.diagnostics.add(
        Diagnostic(
          .error, .outOfRange, "a shadow of \(strip.height) points is too high for a strip",
          at: strip.declared.location, path: strip.declared.path,
          help: "three times the radius and the offset are at most "
            + "\(ManifestLimits.stripHeight) points"))
    }
    return keys
  }()
}

// MARK: - Kinds of values

extension Kind<String> {
  fileprivate static var language: Kind {
    text(pattern: "^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$").described("language tag")
      .then { reader, field, tag in
        if isLanguageTag(tag) { return tag }
        reader.report(
          .badLanguage, "\(tag.quoted) is not a language tag", field,
          help: "write a tag such as en, de or pt-BR")
        return nil
      }
  }

  fileprivate static var siteURL: Kind {
    text(pattern: "^$|^\(Pattern.web)[^/?#:\\s][^?#\\s]*$").described("URL")
      .then { reader, field, text in
        let url = WebURL.site(text)
        if url == nil, !text.isEmpty {
          reader.report(
            .badLink, "\(text.quoted) is not the URL of a site", field,
            help: "write where its first page will be, such as https://example.org/team/")
        }
        return url
      }
  }

  /// A network or the name of a host.
  fileprivate static var host: Kind {
    text().orNull.described("network or host").then { reader, field, text in
      let word = text.lowercased()
      let name = word.hasSuffix(".") ? String(word.dropLast()) : word
      // A resolver takes a name for an address if its last label is a number.
      let isNumber = name.split(separator: ".").last?.utf8.allSatisfy(\.isASCIIDigit) ?? true
      if NetworkRange(word) != nil { return word }
      if HostName.isValid(word), word.utf8.count <= 253, !isNumber { return name }
      reader.report(
        .badNetwork, "\(text.quoted) is neither a network nor the name of a host", field,
        help: "write a network such as 10.0.0.0/8 or fd00::/8, or a name without port and path")
      return nil
    }
  }
}

extension Kind<NamedFile> {
  fileprivate static var path: Kind {
    Kind<String>.text().described("path").then { reader, field, path in
      path.isEmpty ? nil : NamedFile(path: path, location: reader.located(field).location)
    }
  }
}

extension Kind<NamedTheme> {
  fileprivate static var theme: Kind {
    Kind<String>.word(for: "theme").then { reader, field, name in
      NamedTheme(name: name, location: reader.located(field).location)
    }
  }
}

extension Kind<Int> {
  /// A style by its name, as an index.
  fileprivate static var styleName: Kind {
    Kind<String>.text().described("name of a style").then { reader, field, name in
      if let index = reader.styles.firstIndex(where: { $0.name == name }) { return index }
      reader.reportUnknown(
        "style", name, .unknownStyle, field, among: reader.styles.map(\.name))
      return nil
    }
  }
}

extension Kind<Diagnostic.Severity?> {
  fileprivate static var severity: Kind {
    words([("off", nil), ("note", .note), ("warning", .warning)])
  }
}

extension Kind<WrittenIcons> {
  fileprivate static var icon: Kind {
    Kind<AvatarSource.Kind>.source.then { reader, field, source in
      guard field.node.text?.isBlank != true else {
        reader.report(
          .missingKey, "the source of the icons is empty", field,
          help: "name a picture, as in `from: logo.png`")
        return nil
      }
      return WrittenIcons(source: source, declared: reader.located(field))
    }
  }
}

extension Kind<[AvatarStyle]> {
  fileprivate static var styles: Kind {
    let style = Kind<AvatarStyle>.mapping(AvatarStyle.keys) { AvatarStyle(declared: $0) }
    let list = onlyList(style, 1...ManifestLimits.styles, of: "styles")
    return Kind(list.form) { $0.readStyles($1) }
  }
}

extension Array where Element: Equatable {
  /// The first of all that are equal.
  var distinct: [Element] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
