import Foundation

typealias Schema = [String: Any]

extension Schema {
  static func type(_ type: String, _ rest: Schema = [:]) -> Schema {
    rest.merging(["type": type]) { $1 }
  }

  static func text(limit: Int, pattern: String) -> Schema {
    var schema: Schema = ["type": ["string", "number", "boolean"], "pattern": pattern]
    if limit < .max { schema["maxLength"] = limit }
    return schema
  }

  static func list(of form: ValueForm, _ count: ClosedRange<Int>) -> Schema {
    var schema = type("array", ["items": form.schema()])
    if count.lowerBound > 0 { schema["minItems"] = count.lowerBound }
    if count.upperBound < .max { schema["maxItems"] = count.upperBound }
    return schema
  }

  /// The schemas in `anyOf`, or else just this schema; used to flatten nested alternatives.
  var alternatives: [Schema] { count == 1 ? self["anyOf"] as? [Schema] ?? [self] : [self] }

  var orNull: Schema { ["anyOf": alternatives + [["type": "null"]]] }
}

extension KeyTable {
  func schema() -> Schema {
    var properties: Schema = [:]
    for key in entries {
      let schema = key.form.schema()
      properties[key.name] = key.requirement == nil ? schema.orNull : schema
    }
    var schema: Schema = ["title": title, "additionalProperties": false, "properties": properties]
    let required = entries.filter { $0.requirement != nil }.map(\.name)
    if !required.isEmpty { schema["required"] = required }
    if !alternatives.isEmpty { schema["anyOf"] = alternatives.map { ["required": [$0]] } }
    return schema
  }
}

extension NumberRange {
  var schema: Schema {
    [
      isOpen ? "exclusiveMinimum" : "minimum": isOpen ? 0 : numbers.lowerBound,
      "maximum": numbers.upperBound, "description": help,
    ]
  }
}
