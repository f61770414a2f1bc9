import Diagnostics
import Documents
import Recipes

struct Kind<Value: Sendable>: Sendable {
  var form: ValueForm
  let read: @Sendable (inout FieldReader, Field) -> Value?

  init(_ form: ValueForm, read: @escaping @Sendable (inout FieldReader, Field) -> Value?) {
    self.form = form
    self.read = read
  }

  func map<New>(_ transform: @escaping @Sendable (Value) -> New) -> Kind<New> {
    then { _, _, value in transform(value) }
  }

  func then<New>(
    _ next: @escaping @Sendable (inout FieldReader, Field, Value) -> New?
  ) -> Kind<New> {
    Kind<New>(form) { reader, field in
      read(&reader, field).flatMap { next(&reader, field, $0) }
    }
  }

  func described(_ takes: String) -> Kind {
    var kind = self
    kind.form.takes = takes
    return kind
  }

  var unread: Kind<Void> { Kind<Void>(form) { _, _ in nil } }

  var orNull: Kind {
    var kind = self
    kind.form.schema = { [schema = form.schema] in schema().orNull }
    return kind
  }
}

extension Kind<String> {
  /// Accepts any text, including unquoted YAML numbers and booleans.
  ///
  /// `pattern` is a JavaScript regular expression for the schema.
  static func text(
    limit: Int = ManifestLimits.textBytes, pattern: String = Pattern.line,
    id: DiagnosticID = .badText
  ) -> Kind {
    let isUsual = limit == ManifestLimits.textBytes && pattern == Pattern.line
    return Kind(
      ValueForm("text") {
        isUsual ? ["$ref": "#/$defs/text"] : .text(limit: limit, pattern: pattern)
      }
    ) { $0.text($1, limit: limit, id: id, allowsLines: pattern == Pattern.lines) }
  }

  static var lines: Kind { text(pattern: Pattern.lines).described("text with line breaks") }

  static var name: Kind {
    text(limit: ManifestLimits.nameBytes, pattern: Pattern.visible, id: .badName)
      .described("text of up to \(ManifestLimits.nameBytes) bytes")
      .then { reader, field, name in
        name.isBlank
          ? reader.reject(.badName, "the name is blank", field, help: "write a name") : name
      }
  }

  static func word(for thing: String) -> Kind {
    text(limit: ManifestLimits.nameBytes, pattern: "^[a-z0-9-]+$", id: .badName)
      .described("up to \(ManifestLimits.nameBytes) characters: a-z, 0-9 and -")
      .then { reader, field, name in
        if name.isWord { return name }
        return reader.reject(
          .badName, "\(name.quoted) cannot be the name of a \(thing)", field,
          help: "use only a-z, 0-9 and -")
      }
  }

  static var link: Kind {
    text(
      pattern:
        "^$|^(\(Pattern.web)[^/?#:\\s]|[mM][aA][iI][lL][tT][oO]:[^?\\s])[^\\s\"<>\\\\^`{|}]*$"
    ).described("link")
  }

  /// Accepts a server URL, which messages do not quote because it may contain a password.
  static func address(of thing: String, or words: [String] = []) -> Kind {
    let start = (words + [Pattern.web + ".+"]).joined(separator: "|")
    return text(pattern: words.isEmpty ? "^\(start)$" : "^(\(start))$")
      .described((words.map { "`\($0)`" } + ["URL"]).joined(separator: ", "))
      .then { reader, field, text in
        if words.contains(text) { return text }
        do throws(Rejection) {
          return try AvatarService.mirror(text)
        } catch {
          return reader.reject(
            .badLink, "this is not a valid \(thing) address", field, note: error.detail,
            help: "write http:// or https://, a host and an optional port, without a username")
        }
      }
  }
}

extension Kind<AvatarSource.Kind> {
  static var source: Kind {
    let scheme = "[cC][oO][lL][oO][rR]:"
    let pattern = "^(?!\(scheme))[^\(Pattern.controls)]*$|^\(scheme)(\(Pattern.color)|[a-zA-Z]+)$"
    return Kind<String>.text(limit: .max, pattern: pattern).described("source")
      .then { reader, field, text in reader.source(text, field) }
  }
}

extension Kind<Bool> {
  static var boolean: Kind {
    Kind(ValueForm("`true` or `false`") { .type("boolean") }) { $0.boolean($1) }
  }
}

extension Kind<Color> {
  static var color: Kind {
    var form = ValueForm("colour") { ["$ref": "#/$defs/color"] }
    form.isColor = true
    return Kind(form) { $0.color($1) }
  }
}

extension Kind<Double> {
  static func number(_ range: NumberRange) -> Kind {
    Kind(ValueForm("number \(range.words)") { .type("number", range.schema) }) {
      $0.number($1, range)
    }
  }

  static func percentage(_ range: NumberRange) -> Kind {
    var form = ValueForm("percentage") {
      let zeros = String(Int(range.numbers.upperBound)).count - 1
      let digits = "(0|[1-9][0-9]{0,\(zeros - 1)})(\\.[0-9]+)?"
      let most = "10{\(zeros)}(\\.0+)?"
      return .type(
        "string", ["pattern": "^(\(digits)|\(most)|-0)([eE].+)?%$", "description": range.help])
    }
    form.fits = { $0.percentText != nil }
    return Kind(form) { reader, field in
      guard let text = field.node.percentText else {
        return reader.rejectType(field, expected: "a percentage, such as 40%")
      }
      return reader.number(text, range, field).map { $0 / 100 }
    }
  }
}

extension Kind<Int> {
  static func whole(_ numbers: ClosedRange<Int>) -> Kind {
    let range = NumberRange(Double(numbers.lowerBound)...Double(numbers.upperBound))
    return Kind(ValueForm("whole number \(range.words)") { .type("integer", range.schema) }) {
      reader, field in
      guard let number = reader.number(field, range) else { return nil }
      return Int(exactly: number)
        ?? reader.reject(
          .outOfRange, "\(number.plain) is not a whole number", field, help: range.help)
    }
  }
}

extension Kind<Int64> {
  static var days: Kind {
    Kind<Double>.number(NumberRange(0...36_500)).described("number of days").map {
      Int64($0 * 86_400)
    }
  }
}

extension Kind {
  static func words(_ words: [(key: String, value: Value)]) -> Kind {
    let names = words.map(\.key)
    var form = ValueForm(names.map { "`\($0)`" }.joined(separator: ", ")) { ["enum": names] }
    form.fits = { node in names.contains { node.isWord($0) } }
    return Kind(form) { reader, field in
      guard let text = reader.text(field) else { return nil }
      if let word = words.first(where: { $0.key == text }) { return word.value }
      return reader.reject(
        .unknownValue, "\(text.quoted) is not a valid value", field,
        help: suggestion(for: text, among: names))
    }
  }

  static func words(_ type: Value.Type) -> Kind
  where Value: CaseIterable & RawRepresentable<String> {
    words(type.allCases.map { ($0.rawValue, $0) })
  }

  /// Uses the first kind that matches the value, or the last if none matches.
  static func either(_ kinds: Kind...) -> Kind {
    var form = ValueForm(kinds.map(\.form.takes).joined(separator: ", or ")) {
      ["anyOf": kinds.flatMap { $0.form.schema().alternatives }]
    }
    form.table = kinds.lazy.compactMap(\.form.table).first
    form.isColor = kinds.contains { $0.form.isColor }
    form.fits = { node in kinds.contains { $0.form.fits(node) } }
    return Kind(form) { reader, field in
      let kind = kinds.first { $0.form.fits(field.node) } ?? kinds[kinds.count - 1]
      return kind.read(&reader, field)
    }
  }

  static func pair<Item>(_ kind: Kind<Item>, expected: String) -> Kind where Value == (Item, Item) {
    let form = ValueForm("`\(expected)`", fits: \.isList) {
      .type("array", ["items": kind.form.schema(), "minItems": 2, "maxItems": 2])
    }
    return Kind(form) { reader, field in
      guard case .sequence(let items) = field.node.content, items.count == 2 else {
        return reader.rejectType(field, expected: expected)
      }
      let values = field.items.compactMap { kind.read(&reader, $0) }
      return values.count == 2 ? (values[0], values[1]) : nil
    }
  }

  static func list<Item>(_ kind: Kind<Item>, _ count: ClosedRange<Int>) -> Kind
  where Value == [Item] {
    let form = ValueForm("\(kind.form.takes), or a list") {
      ["anyOf": kind.form.schema().alternatives + [.list(of: kind.form, count)]]
    }
    return Kind(form) { reader, field in
      reader.list(field, limit: count.upperBound, least: count.lowerBound).map {
        $0.compactMap { kind.read(&reader, $0) }
      }
    }
  }

  static func onlyList<Item>(
    _ kind: Kind<Item>, _ count: ClosedRange<Int>, of plural: String
  ) -> Kind where Value == [Item] {
    let limit = count.upperBound == .max ? "items" : "up to \(count.upperBound.grouped) items"
    var form = ValueForm("list of \(limit) (each a \(kind.form.takes))", fits: \.isList) {
      .list(of: kind.form, count)
    }
    form.table = kind.form.table
    let list = Kind.list(kind, count)
    return Kind(form) { reader, field in
      field.node.isList
        ? list.read(&reader, field)
        : reader.rejectType(field, expected: "a list of \(plural)")
    }
  }

  static func mapping(
    _ keys: Keys<Value>, _ start: @escaping @Sendable (Located) -> Value
  ) -> Kind {
    var form = ValueForm(keys.table.link, fits: \.isMapping) {
      .type("object", keys.table.schema())
    }
    form.table = keys.table
    return Kind(form) { reader, field in
      var value = start(reader.located(field))
      return reader.read(field, keys, into: &value) == nil ? nil : value
    }
  }

  static func mapping(
    _ keys: Keys<Value>, _ start: @escaping @autoclosure @Sendable () -> Value
  ) -> Kind {
    mapping(keys) { _ in start() }
  }

  static func named<Item>(
    _ keys: Keys<Item>, _ plural: String, upTo limit: Int,
    name: any KeyPath<Item, String> & Sendable,
    _ start: @escaping @Sendable (Located) -> Item
  ) -> Kind where Value == [Item] {
    let item = Kind<Item>.mapping(keys, start).then { reader, field, item in
      (name: item[keyPath: name], field: field, item: item)
    }
    return Kind<[(name: String, field: Field, item: Item)]>.onlyList(item, 0...limit, of: plural)
      .then { reader, _, items in
        reader.checkNames(items.map { ($0.name, $0.field) }, plural)
        return items.map(\.item)
      }
  }
}

enum Pattern {
  static let controls = "\\u0000-\\u001f\\u007f-\\u009f"
  static let line = "^[^\(controls)]*$"
  static let lines = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$"
  static let visible = "^[^\(controls)]*[^\(controls)\\s][^\(controls)]*$"
  static let web = "[hH][tT][tT][pP][sS]?://"
  static let color =
    "#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
    + "|([rR][gG][bB][aA]?|[gG][rR][aA][yY])\\([-0-9., /%\\t]+\\)"
}
