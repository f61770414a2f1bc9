import SiteSupport

/// Compares the editor schema with the reader, using `ManifestText.read`.
@Suite(.needs(SchemaOracle.need))
struct SchemaTests {
  private static let root = Checkout.root

  private static let manifests =
    [
      "content/manifest.yaml", "docs/avatars/manifest.yaml",
      "Sources/SitegenCLI/Commands/starter/manifest.yaml",
    ]
    + [
      "android/manifest.yaml", "astro/avatars.yaml", "contributors/contributors.yaml",
      "eleventy/avatars.yaml", "hugo/avatars.yaml", "ios/manifest.yaml", "jekyll/avatars.yaml",
      "readme/manifest.yaml", "sponsors/manifest.yaml", "spreadsheet/manifest.yaml",
    ].map { "docs/recipes/\($0)" }

  @Test(arguments: manifests)
  func `every manifest in the repository conforms to the schema`(path: String) throws {
    let bytes = try Data(contentsOf: Self.root.appending(path: path))
    let document = try Document(reading: Array(bytes), syntax: .yaml, file: path)
    #expect(try SchemaOracle.shared?.places(in: document.root) == [])
  }

  @Test func `the schema reports common mistakes in the right place`() throws {
    func places(_ text: String) throws -> [String]? {
      let document = try Document(reading: Array(text.utf8), syntax: .yaml, file: "m.yaml")
      return try SchemaOracle.shared?.places(in: document.root)
    }
    #expect(try places("users: []") == [""])
    #expect(try places("version: 2") == ["version"])
    #expect(
      try places("version: 1\nsize: 1\nwords: { pepole: x }\nsite: x")
        == ["site", "size", "words.pepole"])
    #expect(
      try places("version: 1\navatars: [{ border: [{ width: 1 }, { wdth: 1, color: '#12' }] }]")
        == ["avatars[0].border[1].color", "avatars[0].border[1].wdth"])
    #expect(
      try places("version: 1\navatars: [{ decorations: { size: 3 }, focus: [40%, 101%] }]")
        == ["avatars[0].decorations", "avatars[0].focus[1]"])
    #expect(
      try places("version: 1\nusers: [{ name: x, tags: [a, { b: c }] }]")
        == ["users[0]", "users[0].tags[1]"])
    #expect(
      try places("version: 1\nusers: { from: a.csv, fields: { nam: x } }") == ["users.fields.nam"])
  }

  @Test func `a JSON manifest may refer to the schema`() throws {
    let text = #"{"$schema": "manifest.schema.json", "version": 1, "users": [{"id": "a"}]}"#
    #expect(try ManifestText(text: text, syntax: .json).problems() == [])
  }

  private typealias Schema = [String: Any]

  /// The content that a mapping needs to be valid, by key.
  private static let needed: [String: String] = [
    "name": #""n""#, "normal": #""red""#, "color": #""red""#, "from": #""initials""#,
    "id": #""a""#, "find": #""face""#, "version": "1",
  ]

  private static func merged(_ schema: Schema) -> [Schema] {
    guard schema["properties"] == nil, let schemas = schema["anyOf"] as? [Schema] else {
      return [schema]
    }
    return schemas.flatMap(merged)
  }

  /// Returns values from the bounds and keywords of schemas, and values of all other types.
  private static func values(_ schemas: [Schema]) -> [String] {
    var values = [
      "null", "true", "0", "-1", "0.5", "1", "1e9", "\"\"", "\" \"", #""x""#, #""A b""#, "\"#fff\"",
      "\"#12\"", #""Red""#, #""25%""#, #""101%""#, #""1001%""#, #""color:red""#, "[]", "{}",
      #"["x"]"#, "[1, 2]", #"["10%", "20%"]"#, "[null]", #"{ "x": 1 }"#, #""a\u0007b""#, #""a\nb""#,
    ]
    for schema in schemas {
      for word in (schema["enum"] as? [Any] ?? []).prefix(20) {
        if let word = word as? String { values += [#""\#(word)""#, #"["\#(word)"]"#] }
      }
      for key in ["minimum", "maximum", "exclusiveMinimum"] {
        guard let bound = schema[key] as? Double else { continue }
        values += [bound, bound - 1, bound + 1, bound + 0.5].map { "\($0)" }
      }
      if let length = schema["maxLength"] as? Int {
        for count in [length, length + 1] {
          values.append("\"" + String(repeating: "a", count: count) + "\"")
        }
      }
      // A list with a thousand items would take too long.
      if let count = schema["maxItems"] as? Int, count < 1_000 {
        for item in [#""x""#, "1", #""red""#, #""png""#, #""tl""#, "{}"] {
          for count in [count, count + 1] {
            values.append("[" + Array(repeating: item, count: count).joined(separator: ", ") + "]")
          }
        }
      }
    }
    return values
  }

  /// Calls `visit` for each path with its schemas and a function that creates a manifest.
  private static func walk(
    _ schema: Schema, _ definitions: Schema, isRoot: Bool = true,
    _ make: @escaping (String) -> String = { $0 },
    _ visit: (_ key: String, _ schemas: [Schema], _ make: (String) -> String) -> Void
  ) {
    let properties = schema["properties"] as? Schema ?? [:]
    let required = schema["required"] as? [String] ?? []
    for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
      let first = ((schema["anyOf"] as? [Schema])?.first?["required"] as? [String]) ?? []
      var others = (required + first).filter { $0 != key }
        .map { "\"\($0)\": \(needed[$0] ?? "\"red\"")" }
      if isRoot, key != "users" { others.append(#""users": [{ "id": "a" }]"#) }
      let wrap = { (text: String) in
        make("{ " + (others + ["\"\(key)\": \(text)"]).joined(separator: ", ") + " }")
      }
      let alternatives = merged(value as? Schema ?? [:]).flatMap { one -> [Schema] in
        guard let name = one["$ref"] as? String else { return [one] }
        return merged(definitions[String(name.dropFirst("#/$defs/".count))] as? Schema ?? [:])
      }
      visit(key, alternatives, wrap)
      for one in alternatives {
        let items = (one["items"] as? Schema).map(merged) ?? []
        for item in items where item["properties"] != nil {
          walk(item, definitions, isRoot: false, { wrap("[\($0)]") }, visit)
        }
        if one["properties"] != nil { walk(one, definitions, isRoot: false, wrap, visit) }
      }
    }
  }

  /// Tries values on both sides of every limit, where reader and schema might differ.
  @Test func `the reader accepts exactly what the schema allows`() throws {
    let all = try #require(
      try JSONSerialization.jsonObject(with: Data(ManifestSchema.text.utf8)) as? Schema)
    let definitions = try #require(all["$defs"] as? Schema)
    var keys: Set<String> = []
    Self.walk(all, definitions) { key, schemas, make in
      keys.insert(key)
      // All UI strings have the same schema, so one of them suffices.
      if make("").contains(#""words": {"#), key != "zoom" { return }
      for value in Self.values(schemas) {
        var text = ManifestText(text: make(value), allowEmpty: true)
        text.files = ["initials": "id\n", "x": "id\n"]
        // Some values are too long for any document.
        _ = try? text.read()
      }
    }
    #expect(keys == Set(KeyTable.all.flatMap(\.keys)))
  }
}
