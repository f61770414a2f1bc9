package import Diagnostics

/// A set of templates that include each other, parsed and checked before rendering.
package struct TemplateSet: Sendable {
  package struct File: Sendable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      (self.path, self.bytes) = (path, bytes)
    }
  }

  private let byName: [String: Template]

  /// Loads the named templates and all templates that they include by fixed names.
  ///
  /// `read` returns nil if a template is missing. Templates used only through dynamic names
  /// (`{{>*name}}`) must also be in `names`.
  package init(
    loading names: [String], from read: (_ name: String) throws(Diagnostic) -> File?
  ) throws(Diagnostic) {
    var byName: [String: Template] = [:]
    var waiting: [(name: String, asked: (by: Template, Inclusion)?)] = []
    for name in names.reversed() { waiting.append((name, nil)) }
    while let (name, asked) = waiting.popLast() {
      guard byName[name] == nil else { continue }
      guard let file = try read(name) else { throw Self.missingError(name, asked) }
      let template = try Template(parsing: file.bytes, name: name, file: file.path)
      byName[name] = template
      for inclusion in template.inclusions.reversed() {
        if case .fixed(let name) = inclusion.target {
          waiting.append((name, (template, inclusion)))
        }
      }
    }
    self.byName = byName
  }

  subscript(name: String) -> Template? { byName[name] }

  package func render(_ name: String, with value: Value) throws(Diagnostic) -> [UInt8] {
    guard let template = byName[name] else { throw Self.missingError(name) }
    var renderer = Renderer(templates: self, template: template, value: value)
    try renderer.write(template.nodes)
    return renderer.output
  }

  /// Returns a warning for each unknown name, which would otherwise silently become empty text.
  package func unknownNames(known: Set<String>) -> [Diagnostic] {
    byName.values.sorted { $0.name < $1.name }.flatMap { template in
      template.paths.compactMap { path in
        guard let key = path.keys.first(where: { !known.contains($0) }) else { return nil }
        return Diagnostic(
          .warning, .templateUnknownName, "unknown name \(key.quoted)",
          at: template.source.location(of: path.offset),
          help: "check the spelling; unknown names are replaced with empty text")
      }
    }
  }

  private static func missingError(
    _ name: String, _ asked: (by: Template, Inclusion)? = nil
  ) -> Diagnostic {
    let file = "\(name).mustache"
    guard let (template, inclusion) = asked else {
      return Diagnostic(
        .error, .templateMissing, "cannot find the template", at: FileLocation(file: file))
    }
    return template.source.error(
      .templateMissing, "cannot find the template \(name.quoted)", at: inclusion.offset,
      help: "create \(file), or remove the tag")
  }
}

extension Diagnostic {
  package static func unreadableTemplate(_ file: String, note: String) -> Diagnostic {
    Diagnostic(
      .error, .templateUnreadable, "cannot read this template", at: FileLocation(file: file),
      note: note)
  }
}
