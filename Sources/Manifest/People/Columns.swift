import Documents

/// A key of a user, in the order of the manifest's documentation.
enum PersonKey: String, CaseIterable {
  case id, name, avatar, background, title, organisation, about, tags, link, links, styles, focus
  case decorations, alias

  /// All values of these keys count.
  var isList: Bool { [.avatar, .tags, .links].contains(self) }
}

/// What each column of a list means.
///
/// A column is a key that records have, or the header of a table. Its name is compared as `ValuePath.plain`.
struct Columns {
  /// Where a key of a user comes from.
  struct Way {
    let key: PersonKey
    /// What the manifest says.
    let rules: [PersonFields.Rule]?
    /// Else the columns that may have it, the likeliest first.
    var columns: [String] = []
  }

  /// For all keys that the list may have.
  private(set) var ways: [Way] = []
  /// Columns whose values together are a name.
  private(set) var nameParts: (given: String, family: String)?
  private(set) var mails: [String] = []
  /// The columns as written, by plain name.
  let headers: [String: String]
  /// The columns as written that nothing is taken from.
  private(set) var unused: [String] = []

  init(_ list: [ListFile], _ wanted: PersonFields) {
    let headers = Self.headers(of: list)
    self.headers = headers
    func present(_ names: [String]) -> [String] { names.filter { headers[$0] != nil } }
    let isOurs = headers["id"] != nil || headers["avatar"] != nil
    for key in PersonKey.allCases {
      var way = Way(key: key, rules: wanted.rules[key.rawValue])
      if way.rules == nil, isOurs || !ColumnNames.ofStyles.contains(key) {
        way.columns = present(ColumnNames.usual[key] ?? [key.rawValue])
        if key == .name { decideName(&way.columns, present) }
      }
      if way.rules != nil || !way.columns.isEmpty { ways.append(way) }
    }
    mails = present(ColumnNames.mail)
    var used = Set(ways.flatMap { way in way.rules?.flatMap(\.names) ?? way.columns })
    used.formUnion(wanted.conditions.flatMap(\.path.columns))
    if wanted.gravatar { used.formUnion(mails) }
    unused = headers.filter { !used.contains($0.key) }.values.sorted()
  }

  /// The headers of what a key is taken from.
  func sources(of key: PersonKey) -> [String] {
    ways.first { $0.key == key }?.columns.compactMap { headers[$0] } ?? []
  }

  /// A name may be in two columns, and an account is the name of a record that has another id.
  private mutating func decideName(
    _ columns: inout [String], _ present: ([String]) -> [String]
  ) {
    let given = present(ColumnNames.given)
    if let family = present(ColumnNames.family).first,
      let given = given.first ?? columns.first(where: { $0 == "name" })
    {
      nameParts = (given, family)
    }
    columns += given
    if !present(ColumnNames.ids).isEmpty { columns += present(ColumnNames.accounts) }
    if let nameParts { columns.append(nameParts.family) }
  }

  private static func headers(of list: [ListFile]) -> [String: String] {
    var headers: [String: String] = [:]
    var last: [Entry] = []
    for row in list.lazy.flatMap(\.rows) {
      guard case .mapping(let entries) = row.node.content,
        !entries.elementsEqual(last, by: { $0.key == $1.key })
      else { continue }
      last = entries
      // Rows of a hostile list may all differ.
      for entry in entries where headers.count < 1_000 {
        let name = ValuePath.plain(entry.key)
        if headers[name] == nil { headers[name] = entry.key }
      }
    }
    return headers
  }
}
