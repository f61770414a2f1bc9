package import Diagnostics
package import Documents
import Recipes

/// Turns a document into a checked manifest, and reports all its mistakes at once.
package struct ManifestReader {
  /// Why a file with users cannot be opened or read.
  package struct Refusal: Error, Hashable, Sendable {
    /// Lower case, no full stop: `no such file or directory`.
    package let cause: String
    package let help: String?
    /// Whether there is nothing that a pattern could mean; else its people would be lost.
    let isAbsence: Bool

    package init(_ cause: String, help: String? = nil, isAbsence: Bool = false) {
      self.cause = cause
      self.help = help
      self.isAbsence = isAbsence
    }

    package static let notFound = Refusal("no such file or directory", isAbsence: true)
  }

  /// A list at an address, as it came or as it was kept.
  package struct FetchedList {
    let bytes: [UInt8]
    /// The last good one, where it is another one.
    let former: [UInt8]?
    /// Why it is that of an earlier time.
    let staleness: String?
    /// Gets to know whether the list is used.
    let settle: (_ isGood: Bool) -> Void

    package init(
      bytes: [UInt8], former: [UInt8]? = nil, staleness: String? = nil,
      settle: @escaping (_ isGood: Bool) -> Void = { _ in }
    ) {
      self.bytes = bytes
      self.former = former
      self.staleness = staleness
      self.settle = settle
    }
  }

  /// How lists are found; paths are relative to the manifest.
  struct Files {
    let fetch: (ListAddress, NetworkSettings) throws(Refusal) -> FetchedList
    let list: (String, Bool) throws(Refusal) -> [String]
    let open: (String, Bool) throws(Refusal) -> [UInt8]
    /// The first bytes of a file; none if it cannot be read.
    let peek: (String, Bool) -> [UInt8]
  }

  private let allowEmpty: Bool
  private let allowShrink: Bool
  private let explains: Bool
  private let madeIDs: MadeIDs
  private let takesSubfolders: Bool
  private let files: Files

  /// `open` reads a file that `users: { from: … }` names, which is relative to the manifest; `list`
  /// has the sorted names of what is in a folder, those of folders with a slash at the end, where `.`
  /// is the manifest's own.
  ///
  /// With `allowEmpty` a manifest without users is no error, with `allowShrink` a fetched list may lose
  /// most of its people. One that `explains` says what it takes for what in lists of people. People
  /// keep the ids that were made for them. One that `takesSubfolders` reads a folder of pictures with those below.
  package init(
    allowEmpty: Bool = false, allowShrink: Bool = false, explains: Bool = false,
    madeIDs: MadeIDs = MadeIDs(), takesSubfolders: Bool = false,
    fetch: @escaping (_ list: ListAddress, _: NetworkSettings) throws(Refusal) -> FetchedList = {
      (_, _) throws(Refusal) in throw Refusal("nothing is fetched")
    },
    list: @escaping (_ path: String, _ allowOutside: Bool) throws(Refusal) -> [String] = {
      (_, _) throws(Refusal) in throw .notFound
    },
    open: @escaping (_ path: String, _ allowOutside: Bool) throws(Refusal) -> [UInt8],
    peek: @escaping (_ path: String, _ allowOutside: Bool) -> [UInt8] = { _, _ in [] }
  ) {
    self.allowEmpty = allowEmpty
    self.allowShrink = allowShrink
    self.explains = explains
    self.madeIDs = madeIDs
    self.takesSubfolders = takesSubfolders
    files = Files(fetch: fetch, list: list, open: open, peek: peek)
  }

  /// The manifest, or nil if there is any error; diagnostics in either case.
  package func read(_ document: Document) -> (manifest: Manifest?, diagnostics: Diagnostics) {
    var reader = FieldReader(file: document.file, isTabular: false, diagnostics: Diagnostics())
    for problem in document.problems { reader.diagnostics.add(problem) }
    for (position, color) in document.colorComments {
      reader.colorComments[FileLocation(file: document.file, position: position)] = color
    }
    let manifest = read(Field(node: document.root, path: .root), &reader)
    return (reader.diagnostics.hasErrors ? nil : manifest, reader.diagnostics)
  }

  private func read(_ root: Field, _ reader: inout FieldReader) -> Manifest? {
    // The keys of another version are not known.
    guard reader.isVersionKnown(root) else { return nil }
    let location = FileLocation(file: reader.file, position: root.node.position)
    let style = AvatarStyle(declared: Located(location, path: "avatars[0]"))
    reader.styleNames = [style.name]
    var manifest = Manifest(styles: [style])
    guard let fields = reader.read(root, Manifest.keys, into: &manifest) else { return nil }
    reader.checkBitmaps(of: manifest)
    var fallback: [UserReader.NamedItem] = []
    if let field = fields["fallback"] {
      var users = UserReader(reader, styles: [:])
      fallback = users.sources(field)
      reader.diagnostics = users.fields.diagnostics
    }
    manifest.fallback = fallback.map { reader.located($0.item) }
    let errors = reader.diagnostics.count(.error)
    manifest.users = users(fields, manifest, fallback, &reader)
    // After an error the list of users is not complete.
    if reader.diagnostics.count(.error) == errors {
      reader.checkExamples(of: manifest, fields["pages"])
    }
    return manifest
  }

  /// All users, which may be missing where something else makes output.
  private func users(
    _ fields: Fields, _ manifest: Manifest, _ fallback: [UserReader.NamedItem],
    _ reader: inout FieldReader
  ) -> [User] {
    let styles = manifest.styles
    let names = styles.enumerated().map { ($1.name, $0) }
    let hasAliases = manifest.exports.contains(.aliases)
    let errors = reader.diagnostics.count(.error)
    var users = UserReader(
      reader, styles: Dictionary(names) { first, _ in first },
      decorations: Set(styles.flatMap { $0.decorations.compactMap(\.name) }), fallback: fallback,
      hasAliases: hasAliases)
    if let field = fields["users"] { read(field, &users, manifest) }
    reader.diagnostics = users.fields.diagnostics
    var all = users.users
    if hasAliases { checkAliases(of: &all, &reader) }
    let hasOutput = ["buttons", "strips", "icons"].contains { fields[$0] != nil }
    let mayBeEmpty = allowEmpty || (fields["users"] == nil && hasOutput)
    if all.isEmpty, !mayBeEmpty, reader.diagnostics.count(.error) == errors {
      reader.report(
        .error, .noUsers, "there are no users",
        at: fields["users"]?.node.position ?? fields.position, .key("users", in: .root),
        help: "add some, or allow it with --allow-empty")
    }
    return all
  }

  /// Names made of ids all differ, but an alias may be any of them.
  private func checkAliases(of users: inout [User], _ reader: inout FieldReader) {
    guard users.contains(where: { $0.alias != nil }) else { return }
    var owners: [String: Int] = [:]
    for index in users.indices {
      guard let name = users[index].pathName else { continue }
      guard let other = owners[name] else {
        owners[name] = index
        continue
      }
      let (wrong, right) = users[index].alias == nil ? (other, index) : (index, other)
      owners[name] = right
      let (declared, id) = (users[wrong].declared, users[wrong].id)
      let isOurs = declared.location.file == reader.file
      reader.diagnostics.add(
        Diagnostic(
          isOurs ? .error : .warning, .duplicateName,
          "\(id.quoted) cannot have the alias \(name.quoted), which \(users[right].id.quoted) has",
          at: declared.location, path: declared.path + ".alias",
          note: "that user is at \(users[right].declared.location)",
          help: "give one of them another alias"))
      // Whoever gave the name up has none: their id may be an alias too.
      users[wrong].alias = ""
    }
  }

  /// The value of `users`: a list, or `{ from: file }`.
  private func read(_ field: Field, _ users: inout UserReader, _ manifest: Manifest) {
    switch field.node.content {
    case .sequence(let nodes):
      for (index, node) in nodes.enumerated() { users.read(node, index: index) }
    case .mapping:
      guard let fields = users.fields.mapping(field, .userFile),
        let from = users.fields.required(
          "from", of: fields, help: "name a file, as in users: { from: users.csv }"),
        let items = users.fields.filledList(from, limit: ManifestLimits.lists)
      else { return }
      let errors = users.fields.diagnostics.count(.error)
      let wanted = PersonFields(fields, &users.fields)
      // What a bad word would do to everybody is not told as well.
      guard users.fields.diagnostics.count(.error) == errors else { return }
      var lists = ListReader(
        wanted, files: files, allowOutside: manifest.allowOutside, allowShrink: allowShrink,
        network: manifest.network, madeIDs: madeIDs, takesSubfolders: takesSubfolders)
      for item in items { lists.read(item, &users) }
      lists.finish(&users, from: from, explains: explains)
    case .scalar:
      users.fields.reportType(
        field, expected: "a list of users, or a file as in { from: users.csv }")
    }
  }
}

extension FieldReader {
  /// A missing version is reported with the other keys, and taken for the known one.
  fileprivate mutating func isVersionKnown(_ root: Field) -> Bool {
    guard let entry = root.entry("version"), !isAbsent(entry.value) else { return true }
    let field = Field(node: entry.value, path: .key("version", in: .root))
    guard let version = number(field, .any), version != Double(ManifestLimits.version) else {
      return true
    }
    report(
      .versionUnknown, "version \(version.plain) of the manifest is not known", field,
      help: NumberRange.version.text)
    return false
  }

  fileprivate mutating func checkExamples(of manifest: Manifest, _ pages: Field?) {
    guard manifest.pages.examples != nil, let entry = pages?.entry("examples"), let pages else {
      return
    }
    let ids = Set(manifest.users.lazy.map(\.id))
    for item in Field(node: entry.value, path: .key(entry.key, in: pages.path)).items {
      guard let id = item.node.text, !ids.contains(id) else { continue }
      let near = nearest(to: id, among: manifest.users.lazy.map(\.id))
      report(
        .unknownUser, "there is no user with the id \(id.quoted)", item,
        help: near.map { "did you mean `\($0)`?" } ?? "name the ids of users")
    }
  }

  /// A button whose bitmaps are wanted has corners of a size that bitmaps can have.
  fileprivate mutating func checkBitmaps(of manifest: Manifest) {
    let areForApps = manifest.exports.contains(.xcassets) || manifest.exports.contains(.android)
    for button in manifest.buttons
    where (areForApps || button.emit.contains(.png)) && button.cap > ManifestLimits.bitmapCap {
      diagnostics.add(
        Diagnostic(
          .error, .outOfRange,
          "a corner of \(button.cap.plain) points is too large for a bitmap",
          at: button.declared.location, path: button.declared.path,
          help: "write at most \(ManifestLimits.bitmapCap.plain); half of the height is a capsule"))
    }
  }
}
