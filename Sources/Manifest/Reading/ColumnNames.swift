/// What lists of people call their columns: `columns.txt`, which has English, German, French, Spanish, Chinese,
/// Portuguese and Italian, and the few most usual names in eight more languages.
///
/// A line of it is a meaning and its names, the likeliest first, written as people write them: only letters
/// and digits count, without case and accents. A `number` of staff, students or members is not an id, since
/// ids are published; it shows which records are one person.
enum ColumnNames {
  private static let languages = String(decoding: PackageResources.columns_txt, as: UTF8.self)
    .split(separator: "#").map { language in
      let lines = language.split(separator: "\n").dropFirst().map { $0.split(separator: ":") }
      return Dictionary(
        uniqueKeysWithValues: lines.map { line in
          (String(line[0]), line[1].split(separator: ",").map { ValuePath.plain(String($0)) })
        })
    }
  private static let meanings = languages[0].keys.filter { $0 != "list" }

  private static func all(_ meaning: String) -> [String] {
    languages.flatMap { $0[meaning, default: []] }
  }

  /// The columns that may be a key of a user.
  static let usual = Dictionary(
    uniqueKeysWithValues: PersonKey.allCases.map { key in
      let names = all(key.rawValue)
      return switch key {
      case .id: (key, ids + ["slug"] + accounts)
      case .links: (key, names + WebAccounts.starts.keys.sorted())
      default: (key, names.isEmpty ? [key.rawValue] : names)
      }
    })

  /// Ids that a list gives to its records: two records with different ones are two people.
  static let ids = all("id")
  static let numbers = all("number")
  /// The id of a record without any other, and the name of one with nothing but an id.
  static let accounts = all("account")
  static let mail = all("email")
  static let groups = all("tags")
  static let given = all("given")
  static let family = all("family")
  /// In a document with several lists, the one of people.
  static let lists = Set(all("list"))
  /// Whether a list with this name has people: `current_members` too.
  static func isOfPeople(_ name: String) -> Bool {
    let name = ValuePath.plain(name)
    return lists.contains { name == $0 || name.hasSuffix($0) }
  }

  /// Whether a row with nothing but this text is a heading above people: `Board`, `Team 2`.
  static func isGroup(_ text: String) -> Bool {
    lists.contains(ValuePath.plain(text.filter { !$0.isNumber }))
  }

  /// Keys under which a record has the person whom it is about.
  static let ofWrappers: Set = ["user", "node", "person", "member", "profile", "author", "speaker"]
  static let ofPictures = [
    "photo", "picture", "headshot", "portrait", "foto", "image", "gravatar", "照片", "头像",
  ]
  /// Parts of the names of columns that say whether a photo may be published, and of those that need no photo
  /// in their names.
  static let ofConsents = [
    "allow", "permission", "release", "erlaub", "freigabe", "droit", "autoris", "permiso",
  ]
  static let ofPublishing = ["consent", "einwillig", "einverst", "dsgvo", "gdpr", "同意"]
  /// Columns that say whether a person is shown at all: with no, and with yes.
  static let ofShowing: Set = [
    "show", "visible", "published", "publish", "public", "veroffentlichen", "anzeigen", "sichtbar",
  ]
  static let ofHiding: Set = [
    "hidden", "hide", "draft", "deleted", "inactive", "inaktiv", "archived",
  ]
  /// Words in the names of columns with roles.
  static let ofTitles: Set = [
    "role", "position", "jobtitle", "speakertitle", "organizationtitle", "memberjob",
  ]
  /// The person at a company whom one may call.
  static let contacts = ["contactname", "ansprechpartner", "kontakt", "contact"]
  /// In the answer of a server, the list that was asked for.
  static let ofAnswers: Set = ["results", "data", "items", "members", "nodes", "value"]
  /// Parts of the names of columns that are never taken for what their cells look like.
  static let ofSecrets = [
    "edit", "response", "resume", "lebenslauf", "ausweis", "passport", "scan", "signature",
    "unterschrift", "紧急", "zoom", "invoice", "allerg", "medical", "diagnos", "emergency", "notfall",
    "street", "strasse", "city", "country", "contact", "parent", "spouse", "bank", "password",
  ]
  static let parts = Set(given + family + mail + accounts)
  /// Names of columns that are never a value in a person's row.
  private static let certain = parts.union(
    all("avatar") + ["name", "fullname", "nom", "nombre", "姓名"])

  /// How many of the cells are known names of columns; 0 if they may be a person's row.
  static func score(_ cells: [String]) -> Int {
    let names = cells.map { alias($0) ?? ValuePath.plain($0) }
    return certain.isDisjoint(with: names) ? 0 : names.count(where: known.contains)
  }

  /// The known name in a longer one: `姓名 Name`, `Photo (square)`, `person_institution`.
  static func alias(_ header: String) -> String? {
    let name = ValuePath.plain(header)
    guard !known.contains(name), header.utf8.count < 80, !ofSecrets.contains(where: name.contains)
    else { return nil }
    let scalars = header.unicodeScalars
    var parts = header.split { "/|()（）[]\n".contains($0) }.map(String.init)
    for isEastAsian in [true, false] {
      parts.append(
        String(String.UnicodeScalarView(scalars.filter { $0.isEastAsian == isEastAsian })))
    }
    let owner = ["person", "member", "speaker", "author", "employee", "staff", "student"]
      .first(where: name.hasPrefix)
    parts = parts.map(ValuePath.plain) + [String(name.dropFirst(owner?.count ?? 0))]
    let found = parts.filter(known.contains)
    // `Name (company)` can be either.
    let isOne = found.isEmpty || meanings.contains { Set(all($0)).isSuperset(of: found) }
    return isOne ? found.first : nil
  }
  static let ofNames = Set(given + all("name"))
  /// All words that are known to name a column.
  static let known = Set(languages.flatMap { $0.filter { $0.key != "list" }.values.joined() })
  /// One of them is in each record of a person.
  static let ofPeople = ofNames.union(["title", "photo", "image", "avatar", "picture"])
  /// Keys for looks, whose words mean other things in other lists.
  static let ofStyles: Set<PersonKey> = [.background, .styles, .focus, .decorations, .alias]
}
