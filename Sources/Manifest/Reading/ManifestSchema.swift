import Foundation
import Recipes

/// The manifest as a JSON Schema, for editors: all that can be said of a value without the others.
package enum ManifestSchema {
  /// Beside the manifest.
  package static let fileName = "manifest.schema.json"
  /// The first line of a manifest whose editor shall know its keys.
  package static let line = "# yaml-language-server: $schema=\(fileName)\n"

  package static var text: String {
    var schema = ValueKind.mapping(.manifest).schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$defs"] = [
      "text": ValueKind.textSchema(ManifestLimits.textBytes, ValueKind.Pattern.line),
      "textOrNull": ValueKind.either([.text()]).schema(orNull: true),
      "color": ValueKind.colorSchema,
      "colorOrNull": ValueKind.either([.color]).schema(orNull: true),
    ]
    let bytes = try? JSONSerialization.data(
      withJSONObject: schema, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: bytes ?? Data(), as: UTF8.self) + "\n"
  }
}

extension ValueKind {
  /// A key that may be left out may also be null.
  fileprivate func schema(orNull: Bool = false) -> [String: Any] {
    switch self {
    case .text(ManifestLimits.textBytes, Pattern.line):
      return ["$ref": "#/$defs/text" + (orNull ? "OrNull" : "")]
    case .text(let limit, let pattern):
      return Self.textSchema(limit, pattern, orNull: orNull)
    case .color:
      return ["$ref": "#/$defs/color" + (orNull ? "OrNull" : "")]
    case .boolean:
      return Self.typed(["boolean"], orNull)
    case .number(let range):
      return Self.typed(["number"], orNull, range.schema)
    case .whole(let range):
      return Self.typed(["integer"], orNull, range.schema)
    case .percentage(let range):
      let zeros = String(Int(range.numbers.upperBound)).count - 1
      let digits = "(0|[1-9][0-9]{0,\(zeros - 1)})(\\.[0-9]+)?"
      let most = "10{\(zeros)}(\\.0+)?"
      return Self.typed(
        ["string"], orNull,
        ["pattern": "^(\(digits)|\(most)|-0)([eE].+)?%$", "description": range.text])
    case .words(let words):
      return ["enum": words as [Any] + (orNull ? [NSNull()] : [])]
    case .pair(let kind):
      return ValueKind.onlyList(kind, 2...2).schema(orNull: orNull)
    case .list(let kind, let count):
      return ValueKind.either([kind, .onlyList(kind, count)]).schema(orNull: orNull)
    case .onlyList(let kind, let count):
      var rest: [String: Any] = ["items": kind.schema()]
      if count.lowerBound > 0 { rest["minItems"] = count.lowerBound }
      if count.upperBound < .max { rest["maxItems"] = count.upperBound }
      return Self.typed(["array"], orNull, rest)
    case .mapping(let table):
      return Self.typed(["object"], orNull, table.schema)
    case .values(let kind):
      return Self.typed(["object"], orNull, ["additionalProperties": kind.schema(orNull: true)])
    case .either(let kinds):
      let schemas = kinds.flatMap { kind in
        let schema = kind.schema()
        // Alternatives in an alternative are as good as beside it.
        let inner = schema.count == 1 ? schema["anyOf"] as? [[String: Any]] : nil
        return inner ?? [schema]
      }
      return ["anyOf": schemas + (orNull ? [["type": "null"]] : [])]
    case .optional(let kind):
      return kind.schema(orNull: true)
    }
  }

  private static func typed(
    _ types: [String], _ orNull: Bool, _ rest: [String: Any] = [:]
  ) -> [String: Any] {
    let types = types + (orNull ? ["null"] : [])
    let type: Any = types.count == 1 ? types[0] : types
    return rest.merging(["type": type]) { $1 }
  }

  fileprivate static func textSchema(
    _ limit: Int, _ pattern: String, orNull: Bool = false
  ) -> [String: Any] {
    var rest: [String: Any] = ["pattern": pattern]
    // An editor counts characters, of which there are no more than bytes.
    if limit < .max { rest["maxLength"] = limit }
    return typed(["string", "number", "boolean"], orNull, rest)
  }

  /// Editors offer the names; what has a capital letter is not judged.
  fileprivate static var colorSchema: [String: Any] {
    let pattern = "^(\(Pattern.color)|[a-zA-Z]*[A-Z][a-zA-Z]*)$"
    let names = Color.names.keys.sorted() + ["transparent"]
    return ["anyOf": [["enum": names], ["pattern": pattern, "type": "string"]]]
  }
}

extension KeyTable {
  fileprivate var schema: [String: Any] {
    var schema: [String: Any] = ["title": title, "additionalProperties": false]
    var properties: [String: Any] = [:]
    for (key, kind) in zip(keys, kinds) {
      properties[key] = kind.schema(orNull: !required.contains(key))
    }
    schema["properties"] = properties
    if !required.isEmpty { schema["required"] = required }
    if !alternatives.isEmpty { schema["anyOf"] = alternatives.map { ["required": [$0]] } }
    return schema
  }
}

extension NumberRange {
  fileprivate var schema: [String: Any] {
    let isOpen = numbers.lowerBound == .leastNonzeroMagnitude
    return [
      isOpen ? "exclusiveMinimum" : "minimum": isOpen ? 0 : numbers.lowerBound,
      "maximum": numbers.upperBound, "description": text,
    ]
  }
}
