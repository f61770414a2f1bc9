import Bytes
import Documents

enum PersonKey: String, CaseIterable {
  case id, name, avatar, background, title, organisation, about, tags, link, links, styles, focus
  case decorations, alias

  var isList: Bool { [.avatar, .tags, .links].contains(self) }
}

/// The meaning of each column in a list; names are compared in their `ValuePath.plain` form.
struct Columns {
  private let wanted: PersonFields
  /// Candidate columns for each key, likeliest first; empty if the manifest has a rule for the key.
  private var usual: [PersonKey: [String]] = [:]
  private(set) var nameParts: (given: String, family: String)?
  /// Whether all names have the form "Lovelace, Ada".
  private(set) var namesAreSwapped = false
  /// The name column's header, if it looks like the first person's name in a list without headers.
  private(set) var nameAsHeader: String?
  private(set) var mails: [String] = []
  private(set) var consents: [String] = []
  /// Columns that can hide people; `hides` returns whether a cell hides its person.
  private(set) var visibility: [(column: String, hides: (String) -> Bool)] = []
  /// The columns in order, each with its plain name, original name and first cells.
  private(set) var headers: [(name: String, written: String, cells: [String])] = []
  private var columnsWithNA: Set<Int> = []
  /// Whether `NA` means empty: it does if several columns contain it, including one like `title`.
  private var hasNA = false
  /// Column indices, keyed by plain name or by alias.
  private var numbers: [String: Int] = [:]
  /// The known name within a column name, such as `name` in `姓名 Name`.
  private(set) var aliases: [String: String] = [:]

  init(_ list: [ListFile], _ wanted: PersonFields) {
    self.wanted = wanted
    addHeaders(of: list)
    hasIDs = !present(ColumnNames.ids).isEmpty
    let isOurs = numbers["id"] != nil || numbers["avatar"] != nil
    // Ignore id columns that are 0 in every row, as `uid` may be.
    let zeros = present(ColumnNames.ids).filter { column in
      rules(.id) == nil && cells(column).count > 2 && cells(column).allSatisfy { Int($0) == 0 }
    }
    for column in zeros { numbers[column] = nil }
    number = present(ColumnNames.all("number")).first
    for key in PersonKey.allCases where rules(key) == nil {
      // In lists that were not written for sitegen, these columns may mean something else.
      if !isOurs, [.background, .styles, .focus, .decorations, .alias].contains(key) { continue }
      self[key] = present(ColumnNames.usual[key, default: []]).filter { mayBe(key, $0) }
    }
    // If all ids are 0, treat account names as display names, which several people may share.
    if !zeros.isEmpty, isMissing(.name), present(ColumnNames.given + ColumnNames.family).isEmpty {
      self[.id].removeAll(where: ColumnNames.accounts.contains)
    }
    // A page's title is the person's name unless the page has a name key.
    if list.first?.page?.isMarkdown == true, rules(.name) == nil, numbers["title"] != nil {
      if present(Array(ColumnNames.ofNames)).isEmpty { self[.title].removeAll { $0 == "title" } }
      self[.name].append("title")
    }
    guessByContent()
    if rules(.name) == nil { decideName() }
    let others = [PersonKey.avatar, .title, .organisation, .about, .link, .links]
      .flatMap { rules($0)?.flatMap(\.names) ?? self[$0] }.compactMap { numbers[$0] }
    hasNA = columnsWithNA.count > 1 && !columnsWithNA.isDisjoint(with: others)
  }

  private(set) subscript(key: PersonKey) -> [String] {
    get { usual[key, default: []] }
    set { usual[key] = newValue }
  }

  func rules(_ key: PersonKey) -> [PersonFields.Rule]? { wanted.rules[key.rawValue] }

  private func isMissing(_ key: PersonKey) -> Bool { rules(key) == nil && self[key].isEmpty }

  /// Whether a name part, id or tag is empty; `NA` may also be a surname, or Namibia's code.
  func isEmpty(_ cell: String) -> Bool { hasNA ? cell.isMissing : cell.isDash }

  /// Whether the list has ids other than account names.
  private(set) var hasIDs = false

  private(set) var number: String?
  /// The column of name particles such as `von`.
  private(set) var affix: String?

  private func present(_ names: [String]) -> [String] { names.filter { numbers[$0] != nil } }

  func sources(of key: PersonKey) -> [String] {
    self[key].compactMap { numbers[$0] }.map { headers[$0].written }
  }

  var unused: [String] {
    let used = used
    return headers.indices.filter { !used.contains($0) }.map { headers[$0].written }.sorted()
  }

  private var used: Set<Int> {
    var used = Set(PersonKey.allCases.flatMap { rules($0)?.flatMap(\.names) ?? self[$0] })
    used.formUnion(wanted.conditions.flatMap(\.path.columns))
    used.formUnion(consents + visibility.map(\.column) + (affix.map { [$0] } ?? []))
    return Set((wanted.gravatar ? used.union(mails) : used).compactMap { numbers[$0] })
  }

  private mutating func addHeaders(of list: [ListFile]) {
    var last: [Entry] = []
    for (number, row) in list.lazy.flatMap(\.rows).enumerated() {
      guard let entries = row.node.entries,
        number < 500 || !entries.elementsEqual(last, by: { $0.key == $1.key })
      else { continue }
      last = entries
      // Limit the number of headers, because every row of a hostile list may have different keys.
      for entry in entries where headers.count < 1_000 && entry.key != "attributes" {
        let name = ValuePath.plain(entry.key)
        let index = numbers[name, default: headers.count]
        if index == headers.count {
          numbers[name] = index
          headers.append((name, entry.key, []))
        }
        let cell = entry.value.text.map(\.plain) ?? ""
        if cell == "NA" { columnsWithNA.insert(index) }
        if number < 500, !cell.isEmpty, !cell.isPlaceholder { headers[index].cells.append(cell) }
      }
    }
    for (index, header) in headers.enumerated() {
      guard let alias = ColumnNames.alias(header.written), numbers[alias] == nil else { continue }
      // Ignore a column such as `Name (of a parent)` if another column contains the name.
      if ColumnNames.ofNames.contains(alias), !ColumnNames.parts.contains(alias),
        !present(Array(ColumnNames.ofNames) + ColumnNames.family).isEmpty
      {
        continue
      }
      // `student-img` next to `image` is a picture of somebody else.
      let avatars = ColumnNames.all("avatar")
      if avatars.contains(alias), !present(avatars).isEmpty { continue }
      numbers[alias] = index
      aliases[header.name] = alias
    }
  }

  private func cells(_ column: String) -> [String] {
    numbers[column].map { headers[$0].cells } ?? []
  }

  private func most(_ column: String, _ test: (String) -> Bool) -> Bool {
    let cells = cells(column)
    return !cells.isEmpty && cells.count(where: test) * 2 >= cells.count
  }

  /// Returns whether a column may contain a key's values, judging by its name and cells.
  private func mayBe(_ key: PersonKey, _ column: String) -> Bool {
    if column == key.rawValue || cells(column).isEmpty { return true }
    return switch key {
    // Bank account numbers and telephone numbers must not be published.
    case .id: !ColumnNames.accounts.contains(column) || !most(column, \.isLongNumber)
    case .name: !most(column) { $0.isAnswer || $0.isMailAddress }
    // `Photo: yes` gives consent but does not name a picture.
    case .avatar: !most(column, \.isAnswer)
    case .tags: !most(column) { Double($0) != nil }
    case .link: most(column) { !$0.isPictureName && WebURL.isLink(WebAccounts.link($0)) }
    default: true
    }
  }

  private mutating func guessByContent() {
    let used = used.union(ColumnNames.parts.compactMap { numbers[$0] })
    consents = headers.map(\.name).filter { column in
      // `showonlyimage` is a layout option in Hugo themes.
      let isPhoto =
        column != "showonlyimage" && ColumnNames.all("picture").contains(where: column.contains)
      let isConsent = ColumnNames.all("consent").contains(where: column.contains)
      // A number of photos may be 0, but also more than 1.
      let isCount =
        cells(column).allSatisfy { Int($0) != nil } && cells(column).contains { Int($0) ?? 0 > 1 }
      return isPhoto && (isConsent || !isCount && most(column, \.isAnswer))
        || ColumnNames.all("publishing").contains(where: column.contains)
    }
    let (asking, refusing) = ([""] + ColumnNames.all("asking"), ColumnNames.all("refusing"))
    visibility = headers.map(\.name).compactMap { column in
      let asksForName = column.contains("publishmyname")
      let refusesName = asksForName && ["not", "dont", "never"].contains(where: column.contains)
      // A `placeholder` column may also contain a picture or a text, so only a yes hides a person.
      if column == "placeholder" { return (column, \.isConsent) }
      // A `deleted` column may contain a date, so any value that does not mean no hides a person.
      if ColumnNames.all("hides").contains(column) || refusesName
        || ColumnNames.shows(column, after: refusing)
      {
        return (column, { !$0.isRefusal && !$0.isNone })
      }
      return asksForName || ColumnNames.shows(column, after: asking) ? (column, \.isRefusal) : nil
    }
    // An `avatar` rule in the manifest overrides consent columns.
    if rules(.avatar) != nil { consents = [] }
    var left = headers.indices.filter { !used.contains($0) && !headers[$0].cells.isEmpty }
      .map { headers[$0].name }
    left.removeAll { column in ColumnNames.all("secret").contains(where: column.contains) }
    func take(_ test: (String) -> Bool) -> [String] {
      defer { left.removeAll(where: test) }
      return left.filter(test)
    }
    let addresses = take { most($0, \.isMailAddress) }
    mails = present(ColumnNames.mail) + addresses.filter { !ColumnNames.mail.contains($0) }
    let parts = present(ColumnNames.given) + present(ColumnNames.family)
    let hasAccount = hasIDs && !present(ColumnNames.accounts).isEmpty
    let hasName = !isMissing(.name) || !parts.isEmpty || hasAccount
    let hasCompany = hasName && !isMissing(.organisation)
    let pictures = take { column in
      let isPhoto = ColumnNames.all("picture").contains(where: column.contains)
      return most(column) {
        $0.isPictureName || isPhoto && (WebURL.isLink($0) || $0.attachment != nil)
          || column.contains("gravatar") && $0.isMailHash
      } && !(hasCompany && column.contains("logo"))
    }
    if isMissing(.avatar) { self[.avatar] = pictures }
    if rules(.links) == nil { self[.links] += take { WebAccounts.service($0) != nil } }
    // A column that repeats a few values, such as an organisation, does not contain names.
    let names = left.filter { most($0, \.isName) && Set(cells($0)).count * 4 > cells($0).count }
    // A `title` column contains the names if another column contains job titles or pictures.
    let titles = cells("title")
    let areNames =
      most("title", \.isName) && Set(titles).count * 10 >= titles.count * 9
      && names.isEmpty && (self[.title].count > 1 || !self[.avatar].isEmpty)
    if !hasName, areNames, isMissing(.id), isMissing(.organisation) {
      self[.name] = ["title"]
      self[.title].removeAll { $0 == "title" }
    } else if !hasName, titles.isEmpty {
      let name = names.first { $0.hasSuffix("name") } ?? names.first
      self[.name] = name.map { [$0] } ?? []
      // The `group` column may come from headings above the people.
      let own = headers.filter { $0.written != "group" }
      nameAsHeader = sources(of: .name).first { name in
        let last = ValuePath.plain(String(name.split(separator: " ").last ?? ""))
        let labels = ColumnNames.ofNames.union(ColumnNames.all("owner"))
        let isLabel = ColumnNames.isUsual(name) || labels.contains(last)
        return name.isName && !isLabel && !own.contains(where: isHeader)
      }
    }
    // A list without any other text is a list of companies, so use the company as the name.
    if !hasName, isMissing(.name), isMissing(.id),
      !left.contains(where: { most($0) { $0.contains(where: \.isLetter) } })
    {
      self[.name] = self[.organisation]
      self[.organisation] = []
    }
  }

  /// Returns whether a header contains a known word, or looks different from its cells.
  private func isHeader(_ header: (name: String, written: String, cells: [String])) -> Bool {
    // `Nick Cave` is a name although `nick` is a known word.
    let words = header.written.split { !$0.isLetter }.map { ValuePath.plain(String($0)) }
    let known = header.written.isName ? [] : words.suffix(1)
    return !ColumnNames.known.isDisjoint(with: known + [header.name])
      || !header.written.isValue && Double(header.written) == nil
        && most(header.name) { $0.isValue || Double($0) != nil }
  }

  /// Chooses the name columns: a full name, two parts, or an account name if there are other ids.
  private mutating func decideName() {
    var names = self[.name]
    var (given, family) = (present(ColumnNames.given), present(ColumnNames.family))
    if given.isEmpty, names.isEmpty { given = present(ColumnNames.all("initials")) }
    if let given = given.first, let family = family.first(where: { $0 != given }) {
      nameParts = (given, family)
    } else if let one = names.first(where: ["name", "naam", "namn"].contains) {
      // If only the given or the family name has a column, `name` contains the other one.
      nameParts = family.first.map { (one, $0) } ?? given.first.map { ($0, one) }
    }
    let people = names.first.map(cells)?.filter { !$0.isTotal } ?? []
    // Tolerate some names without a comma, such as those of guests without a family name.
    let swapped = people.count { $0.unswappedName != nil }
    // With a header such as `Apellidos, Nombres`, fewer names with a comma are enough.
    let part = sources(of: .name).first?.split(separator: ",").dropFirst().last
    let familyIsFirst = part.map { ColumnNames.given.contains(ValuePath.plain(String($0))) } == true
    namesAreSwapped =
      nameParts == nil && swapped > 1 && swapped * 5 >= people.count * (familyIsFirst ? 2 : 4)
    names += given.filter { !names.contains($0) }
    if hasIDs { names += present(ColumnNames.accounts).filter { mayBe(.id, $0) } }
    if let nameParts, !names.contains(nameParts.family) { names.append(nameParts.family) }
    affix = nameParts == nil ? nil : present(ColumnNames.all("affix")).first
    self[.name] = names
  }
}

extension String {
  /// Whether the text is an email address rather than a picture name such as `me@2x.png`.
  var isMailAddress: Bool {
    guard let at = utf8.lastIndex(of: UInt8(ascii: "@")), at > startIndex, first != "@" else {
      return false
    }
    return self[at...].contains(".") && !contains { " /".contains($0) } && !isPictureName
  }

  var isValue: Bool { isPictureName || isMailAddress || WebURL.isLink(self) }

  /// The URL of the first picture in a cell such as `ada.jpg (https://…)`, as Airtable exports it.
  var attachment: String? {
    guard hasSuffix(")"), let match = firstMatch(of: /(\.\w+) \((https?:\/\/[^\s()]+)\)/),
      String(match.1).isPictureName
    else { return nil }
    return String(match.2)
  }

  fileprivate var isAnswer: Bool {
    isConsent || ColumnNames.all("no").contains(Folding.folded(self))
  }

  /// Whether the answer means no, such as `no`, `No (asked)` or `0`.
  var isRefusal: Bool {
    ColumnNames.all("no").contains(
      String(Folding.folded(self).prefix { $0.isLetter || $0.isNumber }))
  }

  /// Whether the text means "none": `-`, `none`, or `active` in an `inactive since` column.
  var isNone: Bool {
    !contains { $0.isLetter || $0.isNumber }
      || ["none", "never", "active", "aktiv", "na", "n/a"].contains(lowercased())
  }

  var isConsent: Bool { ColumnNames.all("yes").contains(Folding.folded(self)) }

  var isLongNumber: Bool {
    allSatisfy { $0.isNumber || "+-/() ".contains($0) } && count(where: \.isNumber) >= 5
  }

  /// Whether the text is the label of a totals row, such as `Total: 25`.
  var isTotal: Bool {
    let words = lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.dropFirst().allSatisfy { $0.allSatisfy(\.isNumber) }
      && words.first.map { ColumnNames.all("total").contains(String($0)) } == true
  }

  /// Whether the last word begins with a lowercase letter, as in `Ime i prezime`.
  var endsInLowercase: Bool { split(separator: " ").last?.first?.isLowercase == true }

  var isName: Bool {
    let scalars = unicodeScalars.filter { $0 != " " }
    let letters = scalars.count { $0.properties.isAlphabetic }
    return (2...6).contains(split(separator: " ").count) && letters * 5 > scalars.count * 4
      && !scalars.contains {
        $0.properties.numericType == .decimal || "@/:".unicodeScalars.contains($0)
      }
  }

  /// The name "Ada Lovelace" for "Lovelace, Ada"; nil for "Ada Lovelace, PhD".
  var unswappedName: String? {
    let parts = split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.trimmingBlanks)
    }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    let words = parts[1].lowercased().split(separator: " ").map { $0.filter(\.isLetter) }
    return words.allSatisfy(ColumnNames.all("degree").contains) ? nil : "\(parts[1]) \(parts[0])"
  }
}
