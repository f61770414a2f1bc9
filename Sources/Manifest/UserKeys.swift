import Recipes

extension User {
  static let keys = Keys<Void>("a user") {
    let someTexts = Kind.list(Kind.text().orNull, 0...ManifestLimits.tags)
    Key(
      "id",
      .text(limit: ManifestLimits.idBytes, pattern: Pattern.visible)
        .described("text of up to 1 KiB"), required: "every user needs an `id`"
    )
    .doc("The person's unique, case-sensitive id.")
    Key("name", .text()).doc(default: "the id", "The name shown on pages.")
    Key("avatar", .list(Kind.source.orNull, 0...ManifestLimits.avatarsOfOneUser))
      .doc("Sources for the picture. The first one that works is used.")
    Key("background", .color)
      .doc("The colour behind `initials`, and the colour of the disc shown if all sources fail.")
    Key("title", .text()).doc("The person's role.")
    Key("organisation", .text()).doc("The person's organisation.")
    Key("about", .lines).doc("A few sentences, shown on the person's page and in the detail view.")
    Key("tags", someTexts).doc("The groups that the person belongs to.")
    Key("link", .link).doc("The URL that the name links to: `https://…`, `http://…` or `mailto:…`.")
    Key("links", .list(Kind.link.orNull, 0...ManifestLimits.tags))
      .doc("Additional links, each shown with its host and an icon.")
    Key("styles", .list(Kind.text().orNull, 0...ManifestLimits.styles))
      .doc(default: "all", "The styles to render for this person. An empty list means none.")
    Key("focus", Kind<Focus>.pinned)
      .doc(
        default: "the style's focus",
        "The point to keep in every crop; overrides the style's focus. In tables, write `40%;50%`.")
    Key("decorations", .list(Kind.text().orNull, 0...ManifestLimits.decorations))
      .doc("The names of the decorations to draw.")
    Key(
      "alias",
      .text(limit: ManifestLimits.nameBytes, pattern: "^(_*[a-z0-9-][a-z0-9_-]*)?$")
        .described("up to \(ManifestLimits.nameBytes) characters: a-z, 0-9, - and _")
    )
    .doc(default: "the id", "A unique name for the folder in [`u/`](exports.md#stable-urls).")
  }

  static let listKeys = Keys<Void>("users") {
    Key(
      "from",
      .list(
        .either(
          Kind.text().described("path, pattern, folder or URL").unread,
          Kind.mapping(ListAddress.keys, ListAddress()).unread), 1...ManifestLimits.lists),
      required: "specify a file, as in users: { from: users.csv }"
    )
    .doc("Lists of people, relative to the manifest. `git:.` lists the repository's contributors.")
    Key("at", .text().described("key path"))
      .doc(
        "The list's path in JSON, YAML or TOML, such as `team.members`. `\"*\"` matches any key.")
    Key("sheet", .text()).doc(default: "the first", "The sheet in an Excel workbook.")
    Key("where", .conditions)
      .doc(default: "everyone", "Selects records by their values, as in `{ active: true }`.")
    Key("fields", Kind.mapping(placeKeys, ()).unread)
      .doc(default: "the best guess", "The column to read for each of a person's keys.")
    Key("root", .text().described("path"))
      .doc("The folder that picture paths with a leading `/` are relative to.")
    Key("gravatar", .boolean)
      .doc(
        default: "false",
        "If a person's own pictures fail, tries the Gravatar for their email address.")
  }

  static let placeKeys = Keys<Void>("a user") {
    for key in keys.table.keys {
      Key(key, .list(Kind.text().orNull, 0...ManifestLimits.avatarsOfOneUser))
        .doc("The column or columns for `\(key)`.")
    }
  }
}

extension Kind<Void> {
  fileprivate static var conditions: Kind {
    let values = Kind<[String]>.list(Kind<String>.text(limit: .max).orNull, 0...ManifestLimits.tags)
    let form = ValueForm("mapping") {
      .type("object", ["additionalProperties": values.form.schema().orNull])
    }
    return Kind(form) { _, _ in nil }
  }
}

extension KeyTable {
  /// The keys of `templates/words-en.json`.
  package static let strings = SiteDescription.stringKeys.table

  package static let all = [
    Manifest.keys.table, SiteDescription.keys.table, AvatarStyle.keys.table,
    AvatarStyle.maskKeys.table, AvatarStyle.Ring.keys.table, Gradient.keys.table,
    Gradient.overlayKeys.table, Shadow.keys.table, FocusRule.keys.table,
    AvatarStyle.Decoration.keys.table, AvatarStyle.qualityKeys.table,
    AvatarStyle.maxBytesKeys.table, WrittenButton.keys.table, WrittenColors.keys.table,
    WrittenButton.Edge.keys.table, ShadowStrip.keys.table, IconStyle.keys.table,
    PosterStyle.keys.table, PosterStyle.Tier.keys.table, PageSettings.keys.table, strings,
    NetworkSettings.keys.table, AvatarService.keys.table, Notice.keys.table, User.keys.table,
    User.listKeys.table, ListAddress.keys.table,
  ]
}
