import Diagnostics
import Documents

extension PersonReader {
  mutating func finish(_ reader: inout FieldReader) {
    guard hasRows else { return }
    let start = reader.located(.key("users", in: .root), at: Position(line: 1, column: 1))
    if let first = unnamed.first {
      let count = unnamed.count == 1 ? "the file name" : "\(unnamed.count) file names, such as"
      reader.report(
        .warning, .badName,
        "cannot find a person's name in \(count) \(parts(of: first.path).name.quoted)",
        at: first.place, help: "rename the files, for example to ada-lovelace.jpg, or use a list")
    }
    let notes = [
      ("people shown without a photo, because consent is missing", refused),
      ("records that a column marks as hidden", hidden),
    ]
    for (what, count) in notes where count > 0 {
      reader.report(.note, .usersGuess, "\(what): \(count)", at: start)
    }
    if !placeholders.isEmpty {
      let names = placeholders.map(\.quoted).joined(separator: ", ")
      reader.report(.note, .usersGuess, "not treated as people: \(names)", at: start)
    }
    if people > 0, !hasNames, lists.contains(where: { $0.hasIDs && !$0.unused.isEmpty }) {
      reader.report(
        .warning, .missingKey, "cannot find names, so ids are shown", at: start,
        help: "set the name column in `fields`, for example fields: { name: full_name }")
    }
    if let first = nameless.first {
      let (count, keys) = (nameless.count, nameless.keys)
      // If most records lack a name, a column without a known name was probably guessed wrongly.
      let isKnown = lists.flatMap { $0.sources(of: .name) }.contains { column in
        ColumnNames.ofNames.contains(ValuePath.plain(column))
      }
      let hasPeople = people >= count || people > 0 && isKnown
      // Suggest only a name column; other columns may contain email addresses or phone numbers.
      let plain = keys.map { (key: $0, name: ValuePath.plain($0)) }
      let name = (plain.first { $0.name.contains("name") } ?? plain.first { $0.name == "title" })?
        .key
      reader.report(
        hasPeople ? .warning : .error, .missingKey,
        (count == 1 ? "a record has" : "\(count) records have") + " neither a name nor an `id`",
        at: first,
        note: hasPeople || keys.isEmpty
          ? nil : "the first contains " + keys.prefix(12).map(\.quoted).joined(separator: ", "),
        help: hasPeople
          ? "add a name or an `id` to each record"
          : "set the name column in `fields`"
            + (name.map { ", for example fields: { name: \($0.quoted) }" } ?? "")
            + "; in a table, the first row names the columns, such as Name,Role,Photo")
    }
    let headers = Set(lists.flatMap { $0.headers.map(\.written) }).sorted()
    for key in PersonKey.allCases {
      for (number, rule) in (wanted.rules[key.rawValue] ?? []).enumerated()
      where !found[key, default: []].contains(number) {
        if case .word = rule.source { continue }
        reader.report(
          .warning, .missingKey, "cannot find a value for \(key.rawValue.quoted) in any record",
          at: reader.located(rule.field),
          help: headers.isEmpty ? nil : suggestion(for: rule.field.node.text ?? "", among: headers))
      }
    }
  }

  func checkHeader(_ reader: inout FieldReader) {
    guard reader.isTabular, let columns = lists.last else { return }
    let name = columns.nameAsHeader
    let hasValue = columns.headers.contains { header in
      header.written.isValue
        || name != nil && Double(header.written) != nil && header.cells.contains(header.written)
    }
    guard hasValue || name != nil else { return }
    // `Ime i prezime` may be a header in another language, or a person.
    let isUnsure = !hasValue && name?.endsInLowercase == true
    reader.report(
      isUnsure ? .warning : .error, .missingKey, "the first row seems to be a person, not a header",
      at: reader.located(.key("users", in: .root), at: Position(line: 1, column: 1)),
      help: "add a header row above it, such as Name,Role,Photo"
        + (name.map { "; if it is the header, set fields: { name: \($0.quoted) }" } ?? ""))
  }

  /// How columns were read, such as `name from "Full Name"`; nil if all column names match keys.
  var guess: String? {
    var isOurs = true
    var words: [String] = []
    for key in PersonKey.allCases {
      let sources =
        wanted.rules[key.rawValue].map { Set($0.compactMap(\.field.node.text)) }
        ?? Set(lists.flatMap { $0.sources(of: key) })
      guard !sources.isEmpty else { continue }
      isOurs = isOurs && sources == [key.rawValue]
      let list = sources.sorted().prefix(4).map(\.quoted).joined(separator: ", ")
      let isSwapped = key == .name && lists.contains(where: \.namesAreSwapped)
      words.append("\(key.rawValue) from \(list)" + (isSwapped ? ", family names first" : ""))
    }
    let others = Set(lists.flatMap(\.unused)).sorted()
    if isOurs && others.isEmpty || words.isEmpty { return nil }
    let rest = others.count > 12 ? " and \(others.count - 12) more" : ""
    return words.joined(separator: "; ")
      + (others.isEmpty
        ? "" : "; not used: \(others.prefix(12).map(\.quoted).joined(separator: ", "))\(rest)")
  }
}
