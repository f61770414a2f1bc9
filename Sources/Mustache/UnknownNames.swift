extension TemplateSet {
  /// One error for each value name that is not in a vocabulary, sorted by template and place.
  ///
  /// The spec writes nothing for an unknown name, so a slip of the pen would go unnoticed.
  package func unknownNames(known: Set<String>) -> [MustacheError] {
    var errors: [MustacheError] = []
    for template in templates {
      for path in template.paths {
        guard let key = path.keys.first(where: { !known.contains($0.text) }) else { continue }
        errors.append(
          template.source.error(
            "template-unknown-name", "no value is called \(abridged(key.text))", at: path.offset,
            help: "check the spelling; an unknown name writes nothing"))
      }
    }
    return errors
  }
}
