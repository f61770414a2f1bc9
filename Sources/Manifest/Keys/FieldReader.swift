import Diagnostics
import Documents
import Recipes

/// A reader for the values in a file; after reporting an error, it continues.
///
/// Each scalar is read as the type that its key expects: `no` is valid text but not a boolean.
struct FieldReader {
  var file: String
  /// Whether the file is a table: only empty cells are absent, and `;` or `|` separates list items.
  var isTabular: Bool
  /// Whether `;` separates the cells, so that commas can also separate list items.
  var hasSemicolons = false
  /// Whether to drop a person's invalid values with a warning instead of an error.
  var isForgiving = false
  var person: String?
  var styleNames: [String] = []
  var colorComments: ColorComments?
  var diagnostics: Diagnostics

  mutating func report(
    _ severity: Diagnostic.Severity, _ id: DiagnosticID, _ message: String,
    at place: Located, note: String? = nil, help: String? = nil
  ) {
    diagnostics.add(
      Diagnostic(
        severity, id, message, at: place.location, path: place.path.isEmpty ? nil : place.path,
        note: note, help: help))
  }

  mutating func report(
    _ severity: Diagnostic.Severity, _ id: DiagnosticID, _ message: String, _ field: Field,
    note: String? = nil, help: String? = nil
  ) {
    report(severity, id, message, at: located(field), note: note, help: help)
  }

  mutating func report(
    _ id: DiagnosticID, _ message: String, _ field: Field, note: String? = nil, help: String? = nil
  ) {
    let left = person.map { (note.map { $0 + "; " } ?? "") + "it is ignored for \($0.quoted)" }
    report(isForgiving ? .warning : .error, id, message, field, note: left ?? note, help: help)
  }

  /// Reports an invalid value and returns nil in its place.
  mutating func reject<Value>(
    _ id: DiagnosticID, _ message: String, _ field: Field, note: String? = nil, help: String? = nil
  ) -> Value? {
    report(id, message, field, note: note, help: help)
    return nil
  }

  mutating func rejectType<Value>(_ field: Field, expected: String, help: String? = nil) -> Value? {
    reportType(field, expected: expected, help: help)
    return nil
  }

  mutating func reportType(_ field: Field, expected: String, help: String? = nil) {
    report(.wrongType, "expected \(expected), got \(field.node.kind)", field, help: help)
  }

  func located(_ field: Field) -> Located { located(field.path, at: field.node.position) }

  func located(_ path: NodePath, at position: Position) -> Located {
    Located(FileLocation(file: file, position: position), path: path.text ?? "")
  }

  func isAbsent(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node.content else { return false }
    switch scalar.style {
    case .null: return true
    case .plain: return scalar.text.isEmpty || (!isTabular && scalar.text == "null")
    case .quoted: return isTabular && scalar.text.isEmpty
    case .number, .boolean: return false
    }
  }

  mutating func text(
    _ field: Field, limit: Int = ManifestLimits.textBytes, id: DiagnosticID = .badText,
    allowsLines: Bool = false
  ) -> String? {
    guard case .scalar(let scalar) = field.node.content, scalar.style != .boolean,
      scalar.style != .null
    else { return rejectType(field, expected: "text") }
    let length = scalar.text.utf8.count
    guard length <= limit else {
      return reject(id, "the text is \(length) bytes long; the limit is \(limit)", field)
    }
    guard !scalar.text.hasControls(otherThanLines: allowsLines) else {
      return reject(
        id, "\(scalar.text.quoted) contains a control character", field,
        help: "remove it; line breaks and tabs are control characters too")
    }
    return scalar.text
  }

  mutating func boolean(_ field: Field) -> Bool? {
    if case .scalar(let scalar) = field.node.content,
      scalar.style == .plain || scalar.style == .boolean
    {
      if scalar.text == "true" { return true }
      if scalar.text == "false" { return false }
    }
    return rejectType(field, expected: "`true` or `false`", help: "write it without quotes")
  }

  mutating func number(_ field: Field, _ range: NumberRange) -> Double? {
    guard case .scalar(let scalar) = field.node.content,
      scalar.style == .plain || scalar.style == .number
    else {
      return rejectType(
        field, expected: "a number",
        help: field.node.isScalar ? "write numbers without quotes" : nil)
    }
    return number(scalar.text, range, field)
  }

  mutating func number(_ text: String, _ range: NumberRange, _ field: Field) -> Double? {
    guard let value = decimal(text) else {
      return reject(
        .wrongType, "\(text.quoted) is not a number", field,
        help: "write a decimal number, such as 12 or 0.5")
    }
    guard range.numbers.contains(value) else {
      return reject(.outOfRange, "\(text.shortened) is out of range", field, help: range.help)
    }
    // Adding 0 turns -0 into 0.
    return value + 0
  }

  mutating func color(_ field: Field) -> Color? {
    guard let text = text(field) else { return nil }
    if let color = Color(parsing: text) { return color }
    let near =
      Color(parsing: "#" + text).map { _ in "\"#\(text)\"" }
      ?? nearest(to: text, among: Color.names.keys.sorted())
    return reject(
      .badColor, "\(text.quoted) is not a colour", field,
      help: near.map { "did you mean `\($0)`?" }
        ?? "write #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), gray() or a CSS name")
  }

  mutating func mapping(_ field: Field, _ table: KeyTable) -> Fields? {
    guard case .mapping(let entries) = field.node.content else {
      return rejectType(field, expected: "a mapping with the keys of \(table.title)")
    }
    var fields = Fields(field: field)
    for entry in entries {
      let path = NodePath.key(entry.key, in: field.path)
      guard table.keys.contains(entry.key) else {
        reportKey(entry, path, table)
        continue
      }
      var value = entry.value
      if isAbsent(value) {
        // Continue with the intended colour, so that only one error is reported.
        guard table.colors.contains(entry.key), let color = noteEmptyColor(entry, path) else {
          continue
        }
        value = Node(.scalar(Scalar(color, style: .quoted)), at: entry.keyPosition)
      }
      if fields[entry.key] == nil {
        fields.values.append((entry.key, Field(node: value, path: path)))
      }
    }
    return fields
  }

  /// Returns the items in a list; treats a single value as a list with one item.
  mutating func list(_ field: Field, limit: Int, least: Int = 0) -> [Field]? {
    let items = field.items
    guard items.count <= limit else {
      return reject(
        .tooMany, "too many values: \(items.count); at most \(limit) are allowed", field)
    }
    guard items.count >= least else {
      return reject(.outOfRange, "the list is empty", field, help: "add an item, or remove the key")
    }
    return items
  }

  private mutating func reportKey(_ entry: Entry, _ path: NodePath, _ table: KeyTable) {
    let removal = table.removed[entry.key]
    report(
      .error, .unknownKey,
      removal == nil
        ? "\(entry.key.quoted) is not a key of \(table.title)" : "`\(entry.key)` was removed",
      at: located(path, at: entry.keyPosition),
      help: removal ?? suggestion(for: entry.key, among: table.keys))
  }

  private mutating func noteEmptyColor(_ entry: Entry, _ path: NodePath) -> String? {
    guard !isTabular, case .scalar(let scalar) = entry.value.content, scalar.style == .plain,
      scalar.text.isEmpty
    else { return nil }
    let place = located(path, at: entry.keyPosition)
    let color = colorComments?.color(on: entry.keyPosition.line)
    if let color {
      report(
        isForgiving ? .warning : .error, .emptyColor,
        "the colour is empty, because `\(color)` without quotes is a comment",
        at: place, help: "write `\(entry.key): \"\(color)\"`")
    } else {
      report(
        .note, .emptyColor, "the colour is empty", at: place,
        help: "add a colour, or remove the key")
    }
    return color
  }

  mutating func reportUnknown(
    _ kind: String, _ name: String, _ id: DiagnosticID, _ field: Field, among known: [String],
    otherwise help: String? = nil
  ) {
    report(
      id, "unknown \(kind) \(name.quoted)", field,
      help: suggestion(for: name, among: known) ?? help)
  }

  mutating func checkNames(_ things: [(name: String, field: Field)], _ plural: String) {
    var known: [String: FileLocation] = [:]
    for (name, field) in things where !name.isEmpty {
      let own = field["name"]
      let place = located(own ?? field)
      guard let first = known[name] else {
        known[name] = place.location
        continue
      }
      report(
        .error, .duplicateName, "two \(plural) are called \(name.quoted)", at: place,
        note: "the first is at \(first)",
        help: own == nil
          ? "add a `name`; the default is \(name.quoted)" : "give one of them a different `name`")
    }
  }

  mutating func source(_ text: String, _ field: Field) -> AvatarSource.Kind? {
    AvatarSource.Kind(source: text)
      ?? reject(
        .badColor, "\(text.quoted) does not name a colour", field,
        help: "write a colour after `color:`, such as color:#5856d6")
  }
}
