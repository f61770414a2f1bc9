package import Diagnostics

/// Where templates come from; the set itself touches no files.
package struct TemplateSource: Sendable {
  /// The text of a template, nil if there is none; what it throws is told, a `Diagnostic` as it is.
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
    /// An error with its location: almost always a slip.
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
  ) throws(Diagnostic) {
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
  ) throws(Diagnostic) {
    guard let template = byName[name] else {
      if missing == .empty { return }
      throw Self.missingError(name, file: name, asked: nil)
    }
    var renderer = Renderer(templates: self, template: template, value: value)
    swap(&renderer.output, &output)
    defer { swap(&renderer.output, &output) }
    try renderer.write(template.nodes)
  }

  /// A warning for each value name that is not in a vocabulary, sorted by template and offset.
  ///
  /// The spec writes nothing for an unknown name, so a misspelt one would go unnoticed.
  package func unknownNames(known: Set<String>) -> [Diagnostic] {
    templates.flatMap { template in
      template.paths.compactMap { path in
        guard let key = path.keys.first(where: { !known.contains($0.text) }) else { return nil }
        return Diagnostic(
          .warning, .templateUnknownName, "no value is called \(abridged(key.text))",
          at: template.source.location(of: path.offset),
          help: "check the spelling; an unknown name writes nothing")
      }
    }
  }

  private static func load(
    _ name: String, from source: TemplateSource
  ) throws(Diagnostic) -> Template? {
    guard TemplateName.isAllowed(name) else {
      throw Diagnostic(
        .error, .templateOutside, "no template can have the name \(abridged(name))",
        at: FileLocation(file: abridged(name)), help: "names stay inside the templates' folder")
    }
    let bytes: [UInt8]?
    do {
      bytes = try source.bytes(name)
    } catch {
      throw error as? Diagnostic ?? .unreadableTemplate(source.file(name), note: "\(error)")
    }
    guard let bytes else { return nil }
    return try Template(parsing: bytes, name: name, file: source.file(name))
  }

  private static func missingError(
    _ name: String, file: String, asked: (Template, Inclusion)?
  ) -> Diagnostic {
    guard let (template, inclusion) = asked else {
      return Diagnostic(
        .error, .templateMissing, "there is no such template", at: FileLocation(file: file))
    }
    return template.source.error(
      .templateMissing, "there is no template \(abridged(name))", at: inclusion.offset,
      help: "create \(file), or remove the tag")
  }
}

extension Diagnostic {
  /// A file, or the folder of all templates, that cannot be opened or read; the note says why.
  package static func unreadableTemplate(_ file: String, note: String) -> Diagnostic {
    Diagnostic(
      .error, .templateUnreadable, "cannot read this template", at: FileLocation(file: file),
      note: note)
  }
}
