import Diagnostics
import Documents
import Imaging

/// The values of one mapping, by key; absent ones are left out.
struct Fields {
  let path: NodePath
  let position: Position
  fileprivate var values: [(key: String, field: Field)] = []

  subscript(key: String) -> Field? {
    values.first { $0.key == key }?.field
  }
}

extension FieldReader {
  /// A mapping whose keys are all in `table`.
  mutating func mapping(_ field: Field, _ table: KeyTable) -> Fields? {
    guard case .mapping(let entries) = field.node.content else {
      reportType(field, expected: "a mapping with keys of \(table.title)")
      return nil
    }
    var fields = Fields(path: field.path, position: field.node.position)
    for entry in entries {
      let path = NodePath.key(entry.key, in: field.path)
      guard table.keys.contains(entry.key) else {
        reportKey(entry, path, table)
        continue
      }
      if isAbsent(entry.value) {
        if table.colors.contains(entry.key) { noteEmptyColor(entry, path) }
      } else if fields[entry.key] == nil {
        // A second one of the same key has been reported by the document.
        fields.values.append((entry.key, Field(node: entry.value, path: path)))
      }
    }
    return fields
  }

  /// A list; a single value counts as a list of one.
  mutating func list(_ field: Field, limit: Int) -> [Field]? {
    guard case .sequence(let items) = field.node.content else { return [field] }
    guard items.count <= limit else {
      report(.tooMany, "\(items.count) values are too many, allowed are \(limit)", field)
      return nil
    }
    return items.enumerated().map { Field(node: $1, path: .item($0, of: field.path)) }
  }

  /// The same, where an empty list makes no sense.
  mutating func filledList(_ field: Field, limit: Int) -> [Field]? {
    guard let items = list(field, limit: limit) else { return nil }
    if items.isEmpty {
      report(.outOfRange, "the list is empty", field, help: "name at least one, or leave it out")
      return nil
    }
    return items
  }

  /// The value of a key that cannot be left out.
  mutating func required(_ key: String, of fields: Fields, help: String) -> Field? {
    if let field = fields[key] { return field }
    report(
      .error, .missingKey, "`\(key)` is missing", at: fields.position, fields.path, help: help)
    return nil
  }

  mutating func reportKey(
    _ entry: Entry, _ path: NodePath, _ table: KeyTable, note: String? = nil
  ) {
    if table.later.contains(entry.key), let why = OutputFormat.unsupported[entry.key] {
      report(
        .error, .notSupported, "`\(entry.key)` files are not written", at: entry.keyPosition, path,
        note: why, help: "remove it")
    } else if table.later.contains(entry.key) {
      report(
        .error, .notSupported, "`\(entry.key)` is not supported yet", at: entry.keyPosition, path,
        note: note, help: "remove it until a later version reads it")
    } else {
      report(
        .error, .unknownKey, "\(entry.key.quoted) is no key of \(table.title)",
        at: entry.keyPosition,
        path, note: note, help: suggestion(for: entry.key, among: table.keys))
    }
  }

  /// In YAML `color: #fff` is a comment after nothing, which nobody means.
  mutating func noteEmptyColor(_ entry: Entry, _ path: NodePath) {
    guard !isTabular, case .scalar(let scalar) = entry.value.content, scalar.style == .plain,
      scalar.text.isEmpty
    else { return }
    report(
      .note, .emptyColor, "the colour is empty", at: entry.keyPosition, path,
      help: "a # begins a comment: quote it, as in \"#ffffff\"")
  }
}
