import Recipes

extension User {
  static let keys = Keys<Void>("a user") {
    let someTexts = Kind.list(Kind.text().orNull, 0...ManifestLimits.tags)
    Key(
      "id",
      .text(limit: ManifestLimits.idBytes, pattern: Pattern.visible)
        .described("text of up to 1 KiB"), required: "every user needs an `id`"
    )
    .doc("Unique and case-sensitive.")
    Key("name", .text()).doc(default: "the id", "The name shown on pages.")
    Key("avatar", .list(Kind.source.orNull, 0...ManifestLimits.avatarsOfOneUser))
      .doc("Picture sources; the first that works is used.")
    Key("background", .color)
      .doc("The background of `initials`, and of the disc shown if no picture works.")
    Key("title", .text()).doc("Their role.")
    Key("organisation", .text()).doc("Their organisation.")
    Key("about", .lines).doc("A few sentences, shown on the person's page and in the detail view.")
    Key("tags", someTexts).doc("The person's groups.")
    Key("link", .link).doc("The link on the name: `https://…`, `http://…` or `mailto:…`.")
    Key("links", .list(Kind.link.orNull, 0...ManifestLimits.tags))
      .doc("Other links, shown with their host and an icon.")
    Key("styles", .list(Kind.text().orNull, 0...ManifestLimits.styles))
      .doc(default: "all", "The styles to render for this user; an empty list means none.")
    Key("focus", Kind<Focus>.pinned)
      .doc(
        default: "the style's focus",
        "The point that every crop keeps, overriding the styles' focus; in a table, `40%;50%`.")
    Key("decorations", .list(Kind.text().orNull, 0...ManifestLimits.decorations))
      .doc("The named decorations to draw.")
    Key(
      "alias",
      .text(limit: ManifestLimits.nameBytes, pattern: "^(_*[a-z0-9-][a-z0-9_-]*)?$")
        .described("up to \(ManifestLimits.nameBytes) of a-z, 0-9, - and _")
    )
    .doc(default: "the id", "The unique folder name in [`u/`](exports.md#names-that-stay).")
  }

  static let listKeys = Keys<Void>("users") {
    Key(
      "from",
      .list(
        .either(
          Kind.text().described("path, pattern, folder or URL").unread,
          Kind.mapping(ListAddress.keys, ListAddress()).unread), 1...ManifestLimits.lists),
      required: "name a file, as in users: { from: users.csv }"
    )
    .doc("Lists of people, relative to the manifest; `git:.` lists the repository's contributors.")
    Key("at", .text().described("place"))
      .doc(
        "The path to the list in a JSON, YAML or TOML file, as in `team.members`; `\"*\"` is any key."
      )
    Key("sheet", .text()).doc(default: "the first", "The sheet of an Excel workbook.")
    Key("where", .conditions).doc(
      default: "everybody", "Selects records, as in `{ active: true }`.")
    Key("fields", Kind.mapping(placeKeys, ()).unread)
      .doc(default: "guessed", "The column for each key.")
    Key("root", .text().described("path"))
      .doc("The folder for pictures whose paths begin with `/`.")
    Key("gravatar", .boolean)
      .doc(
        default: "false",
        "Tries the Gravatar for a person's email address after their own pictures.")
  }

  /// Keys that map user keys to paths in a record.
  static let placeKeys = Keys<Void>("a user") {
    for key in keys.table.keys {
      Key(key, .list(Kind.text().orNull, 0...ManifestLimits.avatarsOfOneUser))
        .doc("The place, or places, of `\(key)`.")
    }
  }
}

extension Kind<Void> {
  fileprivate static var conditions: Kind {
    let values = Kind<[String]>.list(Kind<String>.text(limit: .max).orNull, 0...ManifestLimits.tags)
    return Kind(
      ValueForm("mapping") {
        .type("object", ["additionalProperties": values.form.schema().orNull])
      }
    ) { _, _ in nil }
  }
}

extension KeyTable {
  /// The keys of templates/words-en.json.
  package static let strings = SiteDescription.stringKeys.table

  package static let all = [
    Manifest.keys.table, SiteDescription.keys.table, AvatarStyle.keys.table,
    AvatarStyle.maskKeys.table,
    AvatarStyle.Ring.keys.table,
    Gradient.keys.table, Gradient.overlayKeys.table, Shadow.keys.table,
    FocusRule.keys.table, AvatarStyle.Decoration.keys.table, AvatarStyle.qualityKeys.table,
    AvatarStyle.maxBytesKeys.table, WrittenButton.keys.table, WrittenColors.keys.table,
    WrittenButton.Edge.keys.table, ShadowStrip.keys.table, IconStyle.keys.table,
    PosterStyle.keys.table, PosterStyle.Tier.keys.table, PageSettings.keys.table, strings,
    NetworkSettings.keys.table, AvatarService.keys.table, Notice.keys.table, User.keys.table,
    User.listKeys.table,
    ListAddress.keys.table,
  ]
}
