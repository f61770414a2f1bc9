import Diagnostics
import Documents

extension ManifestReader {
  /// The value of `users`: a list, or `{ from: file }`.
  func read(_ field: Field, _ users: inout UserReader, _ allowOutside: Bool) {
    switch field.node.content {
    case .sequence(let nodes):
      for (index, node) in nodes.enumerated() { users.read(node, index: index) }
    case .mapping:
      guard let fields = users.fields.mapping(field, .userFile),
        let from = users.fields.required(
          "from", of: fields, help: "name a file, as in users: { from: users.csv }"),
        let name = users.fields.text(from)
      else { return }
      readFile(name, from, &users, allowOutside)
    case .scalar:
      users.fields.reportType(
        field, expected: "a list of users, or a file as in { from: users.csv }")
    }
  }

  private func readFile(
    _ name: String, _ field: Field, _ users: inout UserReader, _ allowOutside: Bool
  ) {
    guard let syntax = Syntax(fileName: name) else {
      users.fields.report(
        .unknownValue, "\(name.quoted) is no list of users", field,
        help: "the name ends in .csv, .tsv, .json, .jsonl or .yaml")
      return
    }
    let manifest = users.fields.file
    do {
      let pieces = try open(name, allowOutside)
      users.fields.file = folder(of: manifest) + name
      users.fields.isTabular = syntax == .csv || syntax == .tsv
      var records = RecordReader(syntax: syntax, file: users.fields.file, read: pieces)
      while let record = try records.next() {
        for problem in record.problems { users.report(problem, index: record.index) }
        if !record.isBroken { users.read(record.node, index: record.index) }
      }
    } catch let error as Diagnostic {
      users.fields.diagnostics.add(error)
    } catch {
      let refusal = error as? Refusal
      users.fields.file = manifest
      users.fields.report(
        .usersUnreadable, "cannot read \(name.shortened)", field,
        note: refusal?.cause, help: refusal?.help ?? "paths are relative to the manifest")
    }
  }
}

extension Syntax {
  fileprivate init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(fileExtension: String(fileName[dot...].dropFirst()))
  }
}

/// With its slash at the end, empty for a bare name.
private func folder(of path: String) -> Substring {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return path[...slash]
}
