/// Where templates come from; the set itself touches no files.
package struct TemplateSource: Sendable {
  /// The text of a template, nil if there is none; what it throws becomes a
  /// `MustacheError`, and its description the note that the user reads.
  package var bytes: @Sendable (_ name: String) throws -> [UInt8]?
  /// How errors call a template's file.
  package var file: @Sendable (_ name: String) -> String

  package init(
    bytes: @escaping @Sendable (_ name: String) throws -> [UInt8]?,
    file: @escaping @Sendable (_ name: String) -> String = { "\($0).mustache" }
  ) {
    self.bytes = bytes
    self.file = file
  }
}

/// Templates that include each other, read and checked before the first one is written.
package struct TemplateSet: Sendable {
  /// What a partial or parent means whose template does not exist.
  package enum Missing: Sendable {
    /// An error with its place: almost always a slip.
    case refused
    /// Nothing is written, as the spec has it.
    case empty
  }

  let missing: Missing
  private let byName: [String: Template]

  /// Loads the named templates and all that they include by a fixed name.
  ///
  /// Templates that only a dynamic name (`{{>*name}}`) can choose must be named here too.
  package init(
    loading names: [String], from source: TemplateSource, missing: Missing = .refused
  ) throws(MustacheError) {
    var byName: [String: Template] = [:]
    var waiting: [(name: String, from: (Template, Inclusion)?)] = []
    for name in names.reversed() { waiting.append((name, nil)) }
    while let (name, asked) = waiting.popLast() {
      guard byName[name] == nil else { continue }
      guard let template = try Self.load(name, from: source) else {
        if missing == .empty { continue }
        throw Self.missingError(name, file: source.file(name), asked: asked)
      }
      byName[name] = template
      for inclusion in template.inclusions.reversed() {
        if case .fixed(let name) = inclusion.target {
          waiting.append((name, (template, inclusion)))
        }
      }
    }
    self.byName = byName
    self.missing = missing
  }

  package subscript(name: String) -> Template? { byName[name] }

  /// All that are loaded, by name: what a digest of the templates must cover.
  package var templates: [Template] { byName.values.sorted { $0.name < $1.name } }

  /// Appends what the template makes of the value.
  package func render(
    _ name: String, with value: Value, into output: inout [UInt8]
  ) throws(MustacheError) {
    guard let template = byName[name] else {
      if missing == .empty { return }
      throw Self.missingError(name, file: name, asked: nil)
    }
    var renderer = Renderer(templates: self, template: template, value: value)
    swap(&renderer.output, &output)
    defer { swap(&renderer.output, &output) }
    try renderer.write(template.nodes)
  }

  private static func load(
    _ name: String, from source: TemplateSource
  ) throws(MustacheError) -> Template? {
    guard TemplateName.isAllowed(name) else {
      throw MustacheError(
        code: "template-outside", message: "no template can have the name \(abridged(name))",
        template: abridged(name), help: "names stay inside the templates' folder")
    }
    let bytes: [UInt8]?
    do {
      bytes = try source.bytes(name)
    } catch {
      throw .unreadable(source.file(name), note: "\(error)")
    }
    guard let bytes else { return nil }
    return try Template(parsing: bytes, name: name, file: source.file(name))
  }

  private static func missingError(
    _ name: String, file: String, asked: (Template, Inclusion)?
  ) -> MustacheError {
    guard let (template, inclusion) = asked else {
      return MustacheError(
        code: "template-missing", message: "there is no such template", template: file)
    }
    return template.source.error(
      "template-missing", "there is no template \(abridged(name))", at: inclusion.offset,
      help: "create \(file), or remove the tag")
  }
}
