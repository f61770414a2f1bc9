import Diagnostics
import Documents

struct PersonFields {
  enum Source: Hashable {
    case value(ValuePath)
    case template(ValueTemplate)
    case word(String)
  }

  struct Rule {
    let source: Source
    let field: Field

    var names: [String] {
      switch source {
      case .value(let path): path.columns
      case .template(let template): template.paths.flatMap(\.columns)
      case .word: []
      }
    }
  }

  var at: ValuePath?
  var sheet: String?
  /// The base folder for paths that begin with `/`.
  var root: String?
  var gravatar = false
  /// The conditions; at each path, a record must have one of the values.
  var conditions: [(path: ValuePath, values: [String])] = []
  /// Explicit rules by key; the columns for other keys are guessed.
  var rules: [String: [Rule]] = [:]

  init(_ fields: Fields, _ reader: inout FieldReader) {
    at = fields["at"].flatMap { reader.text($0) }.map { ValuePath($0) }
    sheet = fields["sheet"].flatMap { reader.text($0) }
    root = fields["root"].flatMap { reader.text($0) }
    gravatar = fields["gravatar"].flatMap { reader.boolean($0) } ?? false
    if let field = fields["where"] { readConditions(field, &reader) }
    let places = fields["fields"].flatMap { reader.mapping($0, User.placeKeys.table) }
    for (key, field) in places?.values ?? [] {
      let items = reader.list(field, limit: ManifestLimits.avatarsOfOneUser) ?? []
      rules[key] = items.compactMap { item in
        reader.text(item).flatMap { Self.source($0, key, item, &reader) }.map {
          Rule(source: $0, field: item)
        }
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
          return reader.rejectType(item, expected: "a value, or a list of values")
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
      let isPicture =
        key == "avatar" && (AvatarSource.Kind.words.contains(text) || text.contains(":"))
      return isPicture ? .word(text) : .value(ValuePath(text))
    }
    do throws(ManifestReader.Refusal) {
      return .template(try ValueTemplate(text))
    } catch {
      return reader.reject(.badText, error.cause, field, help: error.help)
    }
  }
}
