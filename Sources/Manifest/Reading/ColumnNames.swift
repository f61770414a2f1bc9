import Bytes

/// The known column names for people lists, in 15 languages, from `columns.txt`.
///
/// Each line of the file lists the names with one meaning, likeliest first. Only letters and
/// digits are compared. A personnel `number` is not used as an id, because ids are published.
enum ColumnNames {
  private static let languages = String(decoding: PackageResources.columns_txt, as: UTF8.self)
    .split(separator: "#").map { language in
      let lines = language.split(separator: "\n").dropFirst().map { $0.split(separator: ":") }
      return Dictionary(
        uniqueKeysWithValues: lines.map { line in
          let names = line[1].split(separator: ",").map { ValuePath.plain(String($0).trimmed) }
          return (String(line[0]), names)
        })
    }
  private static let ofLists = ["list", "part", "initials"]
  private static let meanings = languages[0].keys.filter { !ofLists.contains($0) }

  private static let words = languages.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }

  static func all(_ meaning: String) -> [String] { words[meaning, default: []] }

  static let usual = Dictionary(
    uniqueKeysWithValues: PersonKey.allCases.map { key in
      let names = all(key.rawValue)
      return switch key {
      case .id: (key, ids + ["slug"] + accounts)
      case .links: (key, names + WebAccounts.starts.keys.sorted())
      default: (key, names.isEmpty ? [key.rawValue] : names)
      }
    })

  /// Names of id columns, whose values identify people.
  static let ids = all("id")
  /// Names of account columns, which are used if a list lacks ids or names.
  static let accounts = all("account")
  static let mail = all("email")
  static let given = all("given")
  static let family = all("family")
  static let lists = Set(all("list"))
  /// Returns whether a list with this name contains people, as `current_members` does.
  static func isUsual(_ name: String) -> Bool {
    let plain = ValuePath.plain(name)
    return lists.contains(plain) || lists.contains(where: plain.hasSuffix) && !isPrivate(name)
  }
  /// Also accepts names of lists that may contain only some of the people, such as `professors`.
  static func isOfPeople(_ name: String) -> Bool {
    isUsual(name) || all("part").contains(ValuePath.plain(name))
  }

  /// Returns whether a list with this name usually contains everyone.
  static func isWhole(_ name: String) -> Bool { all("whole").contains(ValuePath.plain(name)) }

  static func isContacts(_ name: String) -> Bool {
    ["contact", "contacts"].contains(ValuePath.plain(name))
  }

  /// Returns whether a list with this name, such as `emergency_contacts`, must not be published.
  static func isPrivate(_ name: String) -> Bool {
    let plain = ValuePath.plain(name)
    return !lists.contains(plain) && all("relation").contains(where: plain.contains)
  }

  static func mayBePrivate(_ name: String) -> Bool { isPrivate(name) || isContacts(name) }

  /// Returns whether the text is a group heading above people, such as `Board` or `Team 2`.
  static func isGroup(_ text: String) -> Bool {
    lists.contains(ValuePath.plain(text.filter { !$0.isNumber }))
  }

  /// Returns whether the column's name is one of `starts` followed by words like `Show on website`.
  static func shows(_ column: String, after starts: [String]) -> Bool {
    starts.contains { start in
      column.hasPrefix(start) && all("shows").contains(String(column.dropFirst(start.count)))
    }
  }

  private static let placeholders = Set(all("placeholder"))
  private static let pending = all("pending").map { Array($0.utf8) }
  static func isPlaceholder(_ name: String) -> Bool {
    let plain = ValuePath.plain(name)
    return placeholders.contains(plain)
      || pending.contains { plain.utf8.suffix($0.count).elementsEqual($0) }
  }

  static let parts = Set(given + family + mail + accounts)
  /// Keys that records of things rarely have.
  static let certainOfPeople = parts.union(all("title")).subtracting(["title", "position"])
  /// Columns that contain the person's own name, unlike `author`.
  static let certainNames = given + ["name", "fullname", "nom", "nombre", "姓名"]

  /// Returns the number of known column names in a row, or 0 if the row may describe a person.
  static func score(_ cells: [String]) -> Int {
    let names = cells.map { alias($0) ?? ValuePath.plain($0) }
    // Column names that never occur as cells in a person's row.
    let certain = parts.union(all("avatar") + certainNames)
    return certain.isDisjoint(with: names) ? 0 : names.count(where: known.contains)
  }

  /// Finds the known name in a longer one: `姓名 Name`, `Photo (square)`, `person_institution`.
  ///
  /// Ignores text in brackets, as in `Manager (name)`. All other parts must have the same meaning.
  static func alias(_ header: String) -> String? {
    let name = ValuePath.plain(header)
    guard !known.contains(name), header.utf8.count < 80, !name.hasSuffix("intern"),
      !all("secret").contains(where: name.contains)
    else { return nil }
    let owner = all("owner").first(where: name.hasPrefix)
    let rest = String(name.dropFirst(owner?.count ?? 0))
    if known.contains(rest) { return rest }
    let words = header.prefix { !"([（\n".contains($0) }.split { "/|".contains($0) }
    let parts = words.flatMap { word in
      [true, false].map { isEastAsian in
        let letters = word.unicodeScalars.filter { $0.isEastAsian == isEastAsian }
        return ValuePath.plain(String(String.UnicodeScalarView(letters)))
      }
    }.filter { $0.contains(where: \.isLetter) }
    // Ids are published, so an id column's name must exactly match a known name.
    let isOne = meanings.contains { meaning in
      !["id", "account"].contains(meaning) && Set(all(meaning)).isSuperset(of: parts)
    }
    return isOne ? parts.first : nil
  }
  static let ofNames = Set(given + all("name"))
  static let known = Set(
    languages.dropLast().flatMap { $0.filter { !ofLists.contains($0.key) }.values.joined() })
  static let ofPeople = ofNames.union(["title", "photo", "image", "avatar", "picture"])
}
