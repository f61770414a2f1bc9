import Foundation
import Recipes

/// The manifest as a JSON Schema, for editors: all that can be said about a value alone.
package enum ManifestSchema {
  /// Beside the manifest.
  package static let fileName = "manifest.schema.json"
  /// The first line of a manifest whose editor shall know its keys.
  package static let line = "# yaml-language-server: $schema=\(fileName)\n"

  package static var text: String {
    // Editors offer the names of colours; a word with a capital letter is not checked.
    let names = Color.names.keys.sorted() + ["transparent"]
    let pattern = "^(\(Pattern.color)|[a-zA-Z]*[A-Z][a-zA-Z]*)$"
    let color: Schema = ["anyOf": [["enum": names], ["pattern": pattern, "type": "string"]]]
    let text = Schema.text(limit: ManifestLimits.textBytes, pattern: Pattern.line)
    var schema = Schema.type("object", KeyTable.manifest.schema())
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$defs"] = [
      "text": text, "color": color,
      "textOrNull": ["anyOf": [["$ref": "#/$defs/text"], ["type": "null"]]],
      "colorOrNull": ["anyOf": [["$ref": "#/$defs/color"], ["type": "null"]]],
    ]
    let bytes = try? JSONSerialization.data(
      withJSONObject: schema, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: bytes ?? Data(), as: UTF8.self) + "\n"
  }
}

typealias Schema = [String: Any]

extension Schema {
  static func type(_ type: String, _ rest: Schema = [:]) -> Schema {
    rest.merging(["type": type]) { $1 }
  }

  static func text(limit: Int, pattern: String) -> Schema {
    var schema: Schema = ["type": ["string", "number", "boolean"], "pattern": pattern]
    // An editor counts characters, of which there are no more than bytes.
    if limit < .max { schema["maxLength"] = limit }
    return schema
  }

  static func list(of form: ValueForm, _ count: ClosedRange<Int>) -> Schema {
    var schema = type("array", ["items": form.schema()])
    if count.lowerBound > 0 { schema["minItems"] = count.lowerBound }
    if count.upperBound < .max { schema["maxItems"] = count.upperBound }
    return schema
  }

  /// Alternatives in an alternative are as good as beside it.
  var alternatives: [Schema] {
    count == 1 ? self["anyOf"] as? [Schema] ?? [self] : [self]
  }

  /// The same for a value that may be left out, and so be null.
  var orNull: Schema {
    var schema = self
    if let name = schema["$ref"] as? String {
      schema["$ref"] = name.hasSuffix("OrNull") ? name : name + "OrNull"
    } else if let words = schema["enum"] as? [Any] {
      schema["enum"] = words + [NSNull()]
    } else if let schemas = schema["anyOf"] as? [Schema] {
      schema["anyOf"] = schemas + [["type": "null"] as Schema]
    } else if let type = schema["type"] {
      schema["type"] = (type as? [String] ?? [type as? String ?? ""]) + ["null"]
    }
    return schema
  }
}

extension KeyTable {
  func schema() -> Schema {
    var properties: Schema = [:]
    for key in entries {
      let schema = key.form.schema()
      properties[key.name] = key.requirement == nil ? schema.orNull : schema
    }
    var schema: Schema = [
      "title": title, "additionalProperties": false, "properties": properties,
    ]
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
      "maximum": numbers.upperBound, "description": text,
    ]
  }
}
