import Diagnostics
import Documents
import Recipes

/// A reader of the lists in `users: { from: … }`.
///
/// 1. `ListSearch` finds a list's files, and `ListFile` reads their rows.
/// 2. `Columns` determines what each column means, after all rows are read.
/// 3. `PersonReader` converts each row to a record with the manifest's keys.
/// 4. `UserReader` converts each record to a user, as it does for records in the manifest.
struct ListReader {
  private let wanted: PersonFields
  private let reader: ManifestReader
  private let manifest: Manifest
  private var people: PersonReader
  private var count = 0
  private var kinds: Set<String> = []
  private var places: Set<String> = []
  private var readAs: [ListFile.RowKind: (count: Int, first: String)] = [:]

  init(_ wanted: PersonFields, _ reader: ManifestReader, _ manifest: Manifest) {
    self.wanted = wanted
    self.reader = reader
    self.manifest = manifest
    people = PersonReader(wanted)
  }

  mutating func read(_ field: Field, _ users: inout UserReader) {
    var list = ListAddress()
    if field.node.isMapping {
      guard users.fields.read(field, ListAddress.keys, into: &list)?.isSound == true else { return }
    } else {
      guard let name = users.fields.text(field) else { return }
      list.url = name
    }
    users.startList()
    var name = list.url
    switch name.contains("://") && name.repository == nil ? AvatarSource.Kind(source: name) : nil {
    case .remote(.url(let url)):
      list.url = url
      return read(list, field, &users)
    // The message does not quote the URL, because it may contain a password.
    case .faulty(let rejection):
      return users.fields.report(
        .badAddress, "cannot use the list URL", field, note: rejection.detail)
    default: break
    }
    while name.hasSuffix("/"), name.utf8.count > 1 { name.removeLast() }
    let search = ListSearch(reader, allowOutside: manifest.allowOutside)
    guard let names = search.names(name, field, &users.fields) else { return }
    let (before, kindsBefore) = (users.users.count, kinds)
    add(names.records, field, isOneOfMany: names.areMany, &users)
    // If no Markdown page in the folder describes a person, each picture becomes a person.
    if users.users.count == before {
      kinds = kindsBefore
      add(names.pictures, below: names.base, field, isOneOfMany: true, &users)
    }
  }

  /// Assigns derived ids; reports unmatched rules and, if requested, how columns were interpreted.
  mutating func finish(_ users: inout UserReader, from field: Field) {
    people.finish(&users.fields)
    users.finishIDs(reader.madeIDs)
    guard reader.explains, !kinds.isEmpty, !users.users.isEmpty else { return }
    let count = users.users.count == 1 ? "1 person" : "\(users.users.count) people"
    let guess = people.guess
    let joined = users.joined == 1 ? "1 record" : "\(users.joined) records"
    users.fields.report(
      .note, .usersGuess,
      "\(count) from \(kinds.sorted().joined(separator: ", "))"
        + (places.count == 1 ? places.first.map { " at \($0.quoted)" } ?? "" : "")
        + (users.joined > 0 ? " (\(joined) merged)" : "")
        + (guess.map { ": " + $0 } ?? ""),
      field, help: guess.map { _ in "if something is wrong, set `fields` in the manifest" })
    let others = ListFile.RowKind.allCases.filter { $0 != .onlyName }.compactMap(words)
    if !others.isEmpty {
      users.fields.report(
        .note, .usersGuess, "not treated as people: " + others.joined(separator: ", "), field)
    }
    // In a plain list of names, rows with only a name are normal, so do not report them.
    if let count = readAs[.onlyName]?.count, count * 2 < users.users.count {
      users.fields.report(
        .note, .usersGuess, words(.onlyName) ?? "", field,
        help: "if such a row is a heading, remove it and add a column for the group")
    }
  }

  private func words(_ kind: ListFile.RowKind) -> String? {
    readAs[kind].map { count, first in
      count == 1 ? "1 \(kind.rawValue) (\(first))" : "\(count) \(kind.plural) (first \(first))"
    }
  }

  private mutating func add(
    _ names: [String], below base: String = "", _ field: Field, isOneOfMany: Bool,
    _ users: inout UserReader
  ) {
    let folder = parts(of: users.fields.file).folder
    var list: [ListFile] = []
    var others: [String] = []
    for name in names {
      var file = ListFile(path: name, name: folder + name)
      if let syntax = Syntax(fileName: name) {
        // Paths in a list outside the manifest's folder are relative to the list's folder.
        if name.hasPrefix("../") || name.hasPrefix("/") { file.outside = parts(of: name).folder }
        kinds.insert(name.repository == nil ? syntax.name : "the commits of a repository")
        do throws(ManifestReader.Refusal) {
          file.read(
            try reader.files.open(name, allowOutside: manifest.allowOutside), syntax, wanted,
            isOneOfMany: isOneOfMany, &count, &users.fields.diagnostics)
          if isOneOfMany, file.page?.isBundle == true {
            file.page?.besides = picture(besides: name)
          }
        } catch {
          report(error, name, field, isOneOfMany ? .warning : .error, &users)
        }
      } else {
        kinds.insert("pictures")
        file.addPicture(below: base, &count)
      }
      if file.isOther, file.page?.besides == nil {
        others.append(parts(of: name).name.quoted)
      } else {
        list.append(file)
      }
    }
    if !others.isEmpty {
      users.fields.report(
        .note, .frontMatter,
        "skipped pages without a name (\(others.count)): "
          + others.prefix(3).joined(separator: ", "), field,
        help: "begin a person's page with front matter that contains a `name`")
    }
    add(list, isOneTable: !isOneOfMany, &users)
  }

  private mutating func add(_ list: [ListFile], isOneTable: Bool, _ users: inout UserReader) {
    let manifest = users.fields.file
    people.lists.append(Columns(list, wanted))
    people.isFetched = users.fetched != nil
    for file in list {
      if let place = file.at { places.insert(place) }
      readAs.merge(file.readAs) { ($0.count + $1.count, $0.first) }
      users.fields.file = file.name
      users.fields.isTabular = file.isTabular
      users.fields.hasSemicolons = file.hasSemicolons
      for row in file.rows {
        guard let person = people.person(row, of: file, &users.fields) else { continue }
        users.read(
          person.record, index: row.number, hasOwnID: person.hasOwnID, ownNumber: person.number,
          hasMailID: person.hasMailID, mail: person.mail, row: row.node,
          refusesPhoto: person.refusesPhoto)
      }
      if isOneTable { people.checkHeader(&users.fields) }
    }
    users.fields.file = manifest
    users.fields.isTabular = false
  }

  /// Returns the only picture in the page's folder; if there are several, the one named `avatar`.
  private func picture(besides name: String) -> String? {
    let folder = parts(of: name).folder
    let names = try? reader.files.names(
      in: folder.isEmpty ? "." : folder, allowOutside: manifest.allowOutside)
    let pictures = (names ?? []).filter { $0.isPictureName && !$0.hasPrefix(".") }
    return (pictures.count == 1 ? pictures : pictures.filter { $0.hasPrefix("avatar.") }).first
      .map { folder + $0 }
  }

  private mutating func read(_ address: ListAddress, _ field: Field, _ users: inout UserReader) {
    let url = address.url
    let place = WebURL.spelling(of: url)
    do throws(ManifestReader.Refusal) {
      let list = try reader.files.fetch(address, manifest.network)
      func trial(_ bytes: [UInt8]) -> (lists: ListReader, users: UserReader) {
        var (lists, users) = (self, users)
        users.fetched = (url, [])
        lists.add(bytes, from: address, field, &users)
        return (lists, users)
      }
      let errors = users.fields.diagnostics.count(.error)
      var new = trial(list.bytes)
      var isGood = new.users.fields.diagnostics.count(.error) == errors
      var failure = list.staleness.map { ("cannot fetch", $0) }
      if let former = list.former.map(trial), let people = former.users.fetched?.ids {
        let lost = people.subtracting(new.users.fetched?.ids ?? []).count
        if !isGood {
          let problem = new.users.fields.diagnostics.sorted.first { $0.severity == .error }
          failure = ("cannot read", problem?.message ?? "")
          new = former
        } else if lost * 2 > people.count, !reader.allowShrink {
          (new, isGood) = (former, false)
          new.users.fields.report(
            .warning, .usersShrunk,
            "\(lost) of \(people.count) people are missing from \(place); the earlier list is used",
            field, help: "if they have left, build with --allow-shrink")
        }
      }
      list.finish(isGood)
      (self, users) = new
      users.fetched = nil
      guard let failure else { return }
      users.fields.report(
        .warning, .sourceStale, "\(failure.0) \(place); the last good list is used", field,
        note: failure.1)
    } catch {
      report(error, place, field, .error, &users)
    }
  }

  private mutating func add(
    _ bytes: [UInt8], from address: ListAddress, _ field: Field, _ users: inout UserReader
  ) {
    let place = WebURL.spelling(of: address.url)
    var list = ListFile(path: parts(of: place).name, name: place)
    let pages =
      address.pages != nil
      ? bytes.split(separator: ListAddress.separator).map { [UInt8]($0) } : [bytes]
    for page in pages {
      guard page.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
        let refusal = ManifestReader.Refusal(
          "it is a web page, not a list", help: "use the URL of the file itself")
        return report(refusal, parts(of: place).name, field, .error, &users)
      }
      let name = String(address.url.prefix { $0 != "?" })
      let syntax = Syntax(fileName: name) ?? Syntax(sniffing: page)
      kinds.insert(syntax.name)
      list.read(page, syntax, wanted, isOneOfMany: false, &count, &users.fields.diagnostics)
    }
    add([list], isOneTable: true, &users)
  }

  private func report(
    _ refusal: ManifestReader.Refusal, _ name: String, _ field: Field,
    _ severity: Diagnostic.Severity, _ users: inout UserReader
  ) {
    users.fields.report(
      severity, .usersUnreadable, "cannot read \(name.shortened)", field, note: refusal.cause,
      help: refusal.help ?? (refusal.isAbsence ? "paths are relative to the manifest" : nil))
  }
}
