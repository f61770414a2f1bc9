package import Diagnostics
package import Documents
import Recipes

/// Turns a document into a checked manifest, and tells all its mistakes at once.
package struct ManifestReader {
  /// The bytes of a file piece by piece, nil at its end.
  package typealias Pieces = () throws(Refusal) -> [UInt8]?

  /// Why a file with users cannot be opened or read.
  package struct Refusal: Error, Hashable, Sendable {
    /// Lower case, no full stop: `no such file or directory`.
    package let cause: String
    package let help: String?

    package init(_ cause: String, help: String? = nil) {
      self.cause = cause
      self.help = help
    }
  }

  private let allowEmpty: Bool
  private let open: (String, Bool) throws(Refusal) -> Pieces

  /// `open` opens the file that `users: { from: … }` names, which is relative to the manifest.
  ///
  /// With `allowEmpty` a manifest without users is no error.
  package init(
    allowEmpty: Bool = false,
    open: @escaping (_ path: String, _ allowOutside: Bool) throws(Refusal) -> Pieces
  ) {
    self.allowEmpty = allowEmpty
    self.open = open
  }

  /// The manifest, or nil if there is any error; diagnostics in either case.
  package func read(_ document: Document) -> (manifest: Manifest?, diagnostics: Diagnostics) {
    var reader = FieldReader(file: document.file, isTabular: false, diagnostics: Diagnostics())
    for problem in document.problems { reader.diagnostics.add(problem) }
    let manifest = read(Field(node: document.root, path: .root), &reader)
    return (reader.diagnostics.hasErrors ? nil : manifest, reader.diagnostics)
  }

  private func read(_ root: Field, _ reader: inout FieldReader) -> Manifest? {
    // Of another version we know nothing: its keys are not judged.
    guard reader.isVersionRead(root), let fields = reader.mapping(root, .manifest) else {
      return nil
    }
    let site = reader.site(fields["site"])
    let allowOutside = reader.boolean(fields["allowOutside"]) ?? false
    let styles = reader.styles(fields)
    let buttons = reader.buttons(fields["buttons"])
    let font = reader.namedFile(fields["font"])
    var fallback: [UserReader.NamedItem] = []
    if let field = fields["fallback"] {
      var users = UserReader(reader, styles: [:])
      fallback = users.sources(field)
      reader.diagnostics = users.fields.diagnostics
    }
    let strips = reader.strips(fields["strips"])
    let exports = reader.exports(fields, site: site)
    reader.checkBitmaps(of: buttons, exports)
    let errors = reader.diagnostics.count(.error)
    let users = users(fields, styles, fallback, allowOutside, &reader)
    // After an error the list of users is not complete.
    let isComplete = reader.diagnostics.count(.error) == errors
    let pages = reader.pages(fields["pages"], styles: styles, users: isComplete ? users : nil)
    let network = reader.network(fields["network"])
    return Manifest(
      site: site, styles: styles, buttons: buttons, users: users, allowOutside: allowOutside,
      font: font, fallback: fallback.map { reader.located($0.item) }, strips: strips,
      exports: exports, pages: pages,
      network: network)
  }

  /// All users, which may be missing where something else makes output.
  private func users(
    _ fields: Fields, _ styles: [AvatarStyle], _ fallback: [UserReader.NamedItem],
    _ allowOutside: Bool,
    _ reader: inout FieldReader
  ) -> [User] {
    let names = styles.enumerated().map { ($1.name, $0) }
    let errors = reader.diagnostics.count(.error)
    var users = UserReader(
      reader, styles: Dictionary(names) { first, _ in first },
      decorations: Set(styles.flatMap { $0.decorations.compactMap(\.name) }), fallback: fallback)
    if let field = fields["users"] { read(field, &users, allowOutside) }
    reader.diagnostics = users.fields.diagnostics
    let hasOutput = ["buttons", "strips", "icons"].contains { fields[$0] != nil }
    let mayBeEmpty = allowEmpty || (fields["users"] == nil && hasOutput)
    if users.users.isEmpty, !mayBeEmpty, reader.diagnostics.count(.error) == errors {
      reader.report(
        .error, .noUsers, "there are no users",
        at: fields["users"]?.node.position ?? fields.position, .key("users", in: .root),
        help: "add some, or allow it with --allow-empty")
    }
    return users.users
  }

  /// The value of `users`: a list, or `{ from: file }`.
  private func read(_ field: Field, _ users: inout UserReader, _ allowOutside: Bool) {
    switch field.node.content {
    case .sequence(let nodes):
      for (index, node) in nodes.enumerated() { users.read(node, index: index) }
    case .mapping:
      guard let fields = users.fields.mapping(field, .userFile),
        let from = users.fields.required(
          "from", of: fields, help: "name a file, as in users: { from: users.csv }"),
        let name = users.fields.text(from)
      else { return }
      let errors = users.fields.diagnostics.count(.error)
      let wanted = PersonFields(fields, &users.fields)
      // What a bad word would do to everybody is not told as well.
      guard users.fields.diagnostics.count(.error) == errors else { return }
      readFile(name, from, wanted, &users, allowOutside)
    case .scalar:
      users.fields.reportType(
        field, expected: "a list of users, or a file as in { from: users.csv }")
    }
  }

  private func readFile(
    _ name: String, _ field: Field, _ wanted: PersonFields, _ users: inout UserReader,
    _ allowOutside: Bool
  ) {
    guard let syntax = Syntax(fileName: name) else {
      users.fields.report(
        .unknownValue, "\(name.quoted) is no list of users", field,
        help: "the name ends in .csv, .tsv, .json, .jsonl or .yaml")
      return
    }
    let manifest = users.fields.file
    var people = PersonReader(wanted)
    do {
      users.fields.file = folder(of: manifest) + name
      users.fields.isTabular = syntax == .csv || syntax == .tsv
      users.fields.isForgiving = true
      let file = users.fields.file
      var records = RecordReader(
        syntax: syntax, file: file, limits: .people, read: try open(name, allowOutside))
      do {
        guard wanted.at == nil else { throw Diagnostic(.error, .listExpected, "") }
        while let record = try records.next() {
          for problem in record.problems { users.report(problem, index: record.index) }
          if !record.isBroken { users.read(record.node, index: record.index, through: &people) }
        }
      } catch let error as Diagnostic
        where error.id == DiagnosticID.listExpected.rawValue && users.users.isEmpty
      {
        // The list lies somewhere in the document, which is then read as a whole.
        let document = try Document(
          reading: try bytes(of: try open(name, allowOutside)), syntax: syntax, file: file,
          limits: .people)
        for problem in document.problems { users.fields.diagnostics.add(problem) }
        for (index, node) in try document.people(at: wanted.at).enumerated() {
          users.read(node, index: index, through: &people)
        }
      }
      people.noteNearMisses(&users.fields)
      users.fields.file = manifest
      people.finish(&users.fields)
    } catch let error as Diagnostic {
      users.fields.diagnostics.add(error)
    } catch {
      let refusal = error as? Refusal
      users.fields.file = manifest
      users.fields.isForgiving = false
      users.fields.report(
        .usersUnreadable, "cannot read \(name.shortened)", field,
        note: refusal?.cause, help: refusal?.help ?? "paths are relative to the manifest")
    }
  }

  private func bytes(of pieces: Pieces) throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    // One more than is allowed is enough to be refused.
    while bytes.count <= DocumentLimits.standard.bytes, let piece = try pieces() { bytes += piece }
    return bytes
  }
}

extension DocumentLimits {
  /// Beside what we read there may be whole lives.
  fileprivate static var people: DocumentLimits {
    var limits = DocumentLimits.standard
    limits.scalarBytes = 64 << 10
    return limits
  }
}

extension UserReader {
  /// A record of somebody else's list.
  fileprivate mutating func read(_ node: Node, index: Int, through people: inout PersonReader) {
    let path = NodePath.item(index, of: .key("users", in: .root))
    guard let person = people.person(node, &fields, path) else { return }
    read(person.node, index: index, hasOwnID: person.isNamed)
  }
}

extension Document {
  /// The list of people in it: at a place, or the only one there is.
  fileprivate func people(at path: ValuePath?) throws(Diagnostic) -> [Node] {
    guard let list = path.map({ root.value(at: $0.names[...]) }) ?? root.onlyList else {
      throw Diagnostic(
        .error, .listExpected,
        path.map { "there is nothing at \($0.text.quoted)" } ?? "it has several lists, or none",
        at: FileLocation(file: file, position: root.position),
        note: root.listNames.isEmpty ? nil : "there are \(root.listNames.joined(separator: ", "))",
        help: "say where the list is, as in users: { from: team.json, at: people }")
    }
    if case .sequence(let items) = list.content { return items }
    guard case .mapping(let entries) = list.content else { return [list] }
    // `ada: { name: Ada Lovelace }`
    return entries.map { entry in
      guard case .mapping(let own) = entry.value.content, !own.contains(where: { $0.key == "id" })
      else { return entry.value }
      let id = Node(.scalar(Scalar(entry.key, style: .quoted)), at: entry.keyPosition)
      let first = Entry(key: "id", keyPosition: entry.keyPosition, value: id)
      return Node(.mapping([first] + own), at: entry.value.position)
    }
  }
}

extension Node {
  /// Of a mapping the only list of mappings in it, or itself where all its values are mappings.
  fileprivate var onlyList: Node? {
    guard case .mapping(let entries) = content else { return nil }
    if !entries.isEmpty, entries.allSatisfy({ $0.value.isMapping }) { return self }
    let names = listNames
    return names.count == 1 ? value(at: [ValuePath.plain(names[0])]) : nil
  }

  /// Keys whose values are lists of mappings.
  fileprivate var listNames: [String] {
    guard case .mapping(let entries) = content else { return [] }
    return entries.filter { entry in
      if case .sequence(let items) = entry.value.content {
        items.contains(where: \.isMapping)
      } else {
        false
      }
    }.map(\.key)
  }

  fileprivate var isMapping: Bool {
    if case .mapping = content { true } else { false }
  }
}

extension FieldReader {
  /// False for a version that is not ours; a missing one is told, and taken for ours.
  fileprivate mutating func isVersionRead(_ root: Field) -> Bool {
    guard case .mapping(let entries) = root.node.content else { return true }
    let help = "write `version: \(ManifestLimits.version)`"
    guard let entry = entries.first(where: { $0.key == "version" }), !isAbsent(entry.value) else {
      report(
        .error, .versionMissing, "`version` is missing", at: root.node.position, .root, help: help)
      return true
    }
    let field = Field(node: entry.value, path: .key("version", in: .root))
    guard let version = number(field, .any), version != Double(ManifestLimits.version) else {
      return true
    }
    report(
      .versionUnknown, "version \(version.plain) of the manifest is not known", field, help: help)
    return false
  }
}

extension Syntax {
  fileprivate init?(fileName: String) {
    if fileName.hasSuffix(".all-contributorsrc") {
      self = .json
      return
    }
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(fileExtension: String(fileName[dot...].dropFirst()))
  }
}

/// With its slash at the end, empty for a bare name.
private func folder(of path: String) -> Substring {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return path[...slash]
}
