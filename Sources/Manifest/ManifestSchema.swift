import Foundation
import Recipes

/// The manifest's JSON Schema, for use in editors; it cannot check relations between values.
package enum ManifestSchema {
  package static let fileName = "manifest.schema.json"
  package static let line = "# yaml-language-server: $schema=\(fileName)\n"

  package static var text: String {
    // Editors suggest lower-case colour names; names with capital letters are accepted unchecked.
    let names = Color.names.keys.sorted() + ["transparent"]
    let pattern = "^(\(Pattern.color)|[a-zA-Z]*[A-Z][a-zA-Z]*)$"
    let color: Schema = ["anyOf": [["enum": names], ["pattern": pattern, "type": "string"]]]
    let text = Schema.text(limit: ManifestLimits.textBytes, pattern: Pattern.line)
    var schema = Schema.type("object", Manifest.keys.table.schema())
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$defs"] = ["text": text, "color": color]
    let bytes = try? JSONSerialization.data(
      withJSONObject: schema, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: bytes ?? Data(), as: UTF8.self) + "\n"
  }
}
