import Diagnostics
import Documents

/// What the manifest says about a list of people beside its file: where in it they are, which of them
/// are wanted, and what stands where.
struct PersonFields {
  /// One way to get a value.
  enum Source: Hashable {
    case value(ValuePath)
    case template(ValueTemplate)
    /// `initials`, for a picture.
    case word(String)
  }

  /// Where the list lies in its document.
  var at: ValuePath?
  /// What a path with `/` at its start is relative to.
  var root: String?
  /// Mail addresses name pictures.
  var gravatar = false
  /// All of which a record must have, with any of the values.
  var conditions: [(path: ValuePath, values: [String])] = []
  /// For keys of a user; the others are guessed.
  var rules: [String: [(source: Source, field: Field)]] = [:]

  init(_ fields: Fields, _ reader: inout FieldReader) {
    at = reader.text(fields["at"]).map { ValuePath($0) }
    root = reader.text(fields["root"])
    gravatar = reader.boolean(fields["gravatar"]) ?? false
    if let field = fields["where"] { readConditions(field, &reader) }
    for (key, field) in reader.mapping(fields["fields"], .fields)?.values ?? [] {
      let items = reader.list(field, limit: ManifestLimits.avatarsOfOneUser) ?? []
      rules[key] = items.compactMap { item in
        reader.text(item).flatMap { Self.source($0, key, item, &reader) }.map { ($0, item) }
      }
    }
  }

  private mutating func readConditions(_ field: Field, _ reader: inout FieldReader) {
    guard case .mapping(let entries) = field.node.content else {
      return reader.reportType(field, expected: "a mapping, as in { active: true }")
    }
    for entry in entries {
      let path = NodePath.key(entry.key, in: field.path)
      let items = reader.list(Field(node: entry.value, path: path), limit: ManifestLimits.tags)
      let values = (items ?? []).compactMap { item -> String? in
        guard case .scalar(let scalar) = item.node.content else {
          reader.reportType(item, expected: "a value, or a list of values")
          return nil
        }
        return scalar.text.lowercased()
      }
      conditions.append((ValuePath(entry.key), values))
    }
  }

  private static func source(
    _ text: String, _ key: String, _ field: Field, _ reader: inout FieldReader
  ) -> Source? {
    guard text.contains("{") else {
      // The words that name a picture without a file; `color:` and others have a colon.
      let isPicture =
        key == "avatar" && (["initials", "identicon"].contains(text) || text.contains(":"))
      return isPicture ? .word(text) : .value(ValuePath(text))
    }
    do throws(ValueTemplate.Flaw) {
      return .template(try ValueTemplate(text))
    } catch {
      reader.report(.badText, error.message, field, help: error.help)
      return nil
    }
  }

  /// Names that lists of people use, the likeliest first, plain as in `ValuePath`.
  static let usualNames: [String: [String]] = [
    "id": recordIDs + ["slug"] + accountNames,
    "name": ["name", "fullname", "displayname", "realname", "personname"],
    "avatar": [
      "avatar", "photo", "picture", "image", "img", "headshot", "portrait", "pic", "avatarurl",
      "photourl", "imageurl", "pictureurl", "profileimage", "profilepicture", "profilephoto",
      "thumbnail", "thumbnailurl", "photofile", "imagefile", "picturefile",
    ],
    "background": ["background"],
    "title": [
      "title", "role", "position", "positiontitle", "jobtitle", "job", "occupation", "designation",
    ],
    "organisation": [
      "organisation", "organization", "company", "affiliation", "institution", "employer",
    ],
    "about": ["about", "bio", "biography", "description", "summary"],
    "tags": [
      "tags", "tag", "teams", "team", "departments", "department", "groups", "group", "categories",
      "category", "division", "contributions",
    ],
    "link": [
      "link", "url", "website", "homepage", "webpage", "web", "htmlurl", "blog",
      "profile",
    ],
    "links": ["links", "socials", "social", "sociallinks"] + PersonReader.accounts.keys.sorted(),
    "styles": ["styles"], "focus": ["focus"], "decorations": ["decorations"],
    "alias": ["alias"],
  ]
  /// Ids that a list gives to its records: two records with different ones are two people.
  static let recordIDs = ["id", "userid", "uid", "memberid", "iduser"]
  /// The id of a record without any other, and the name of one with nothing but an id.
  static let accountNames = ["username", "login", "handle"]
  static let mailNames = ["email", "mail", "emailaddress", "emails"]
  static let firstNames = ["firstname", "givenname", "forename", "first"]
  static let lastNames = ["lastname", "familyname", "surname", "last"]
}
