package import Diagnostics
package import Documents
import Recipes

/// A reader that converts a document to a validated manifest and reports all errors together.
package struct ManifestReader {
  package struct Refusal: Error, Hashable, Sendable {
    package let cause: String
    package let help: String?
    /// Whether to treat the path as missing; wildcard searches skip missing folders.
    let isAbsence: Bool

    package init(_ cause: String, help: String? = nil, isAbsence: Bool = false) {
      (self.cause, self.help, self.isAbsence) = (cause, help, isAbsence)
    }

    package static let notFound = Refusal("no such file or directory", isAbsence: true)
  }

  package struct FetchedList {
    let bytes: [UInt8]
    let former: [UInt8]?
    let staleness: String?
    /// Reports back whether the list was usable.
    let finish: (_ isGood: Bool) -> Void

    package init(
      bytes: [UInt8], former: [UInt8]? = nil, staleness: String? = nil,
      finish: @escaping (_ isGood: Bool) -> Void = { _ in }
    ) {
      (self.bytes, self.former, self.staleness, self.finish) = (bytes, former, staleness, finish)
    }
  }

  package var allowEmpty = false
  package var allowShrink = false
  package var explains = false
  package var madeIDs = MadeIDs()
  package var takesSubfolders = false
  let files: any ListFiles

  package init(_ files: any ListFiles) { self.files = files }

  package func read(_ document: Document) -> (manifest: Manifest?, diagnostics: Diagnostics) {
    var reader = FieldReader(file: document.file, isTabular: false, diagnostics: Diagnostics())
    for problem in document.problems { reader.diagnostics.add(problem) }
    reader.colorComments = document.colorComments
    let manifest = read(Field(node: document.root, path: .root), &reader)
    return (reader.diagnostics.hasErrors ? nil : manifest, reader.diagnostics)
  }

  private func read(_ root: Field, _ reader: inout FieldReader) -> Manifest? {
    // Stop here, because the keys of other versions are unknown.
    guard reader.isVersionKnown(root) else { return nil }
    let location = FileLocation(file: reader.file, position: root.node.position)
    var style = AvatarStyle(declared: Located(location, path: "avatars[0]"))
    (style.width, style.height) = (96, 96)
    (style.finder, style.zoom) = (.quickFace, nil)
    reader.styleNames = [style.name]
    var manifest = Manifest(styles: [style])
    guard let fields = reader.read(root, Manifest.keys, into: &manifest) else { return nil }
    // Unless the manifest sets `avatars` or `notices`, do not report pictures without a face.
    if fields["avatars"] == nil, fields["notices"] == nil { manifest.notices[.faceless] = nil }
    reader.checkBitmaps(of: manifest)
    var users = UserReader(reader, of: manifest)
    if let field = fields["fallback"] { users.fallback = users.sources(field) }
    manifest.fallback = users.fallback.map { reader.located($0.item) }
    let errors = users.fields.diagnostics.count(.error)
    if let field = fields["users"] { read(field, &users, manifest) }
    reader.diagnostics = users.fields.diagnostics
    manifest.users = users.users
    if manifest.pages.isGroupedByTag { manifest.users.groupByTag() }
    if manifest.exports.contains(.aliases) { checkAliases(of: &manifest.users, &reader) }
    // Skip the other checks: after an error, the list of users may be incomplete.
    guard reader.diagnostics.count(.error) == errors else { return manifest }
    let hasOutput = ["buttons", "strips", "icons"].contains { fields[$0] != nil }
    if manifest.users.isEmpty, !allowEmpty, fields["users"] != nil || !hasOutput {
      reader.report(
        .error, .noUsers, "cannot find any users",
        at: reader.located(.key("users", in: .root), at: (fields["users"] ?? root).node.position),
        help: fields["users"]?.node.isMapping == true
          ? "check `from`; a site without people needs --allow-empty"
          : "add users, or use --allow-empty")
    } else {
      reader.checkExamples(of: manifest, fields["pages"])
    }
    return manifest
  }

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
      reader.report(
        isOurs ? .error : .warning, .duplicateName,
        "the alias \(name.quoted) of \(id.quoted) is already used by \(users[right].id.quoted)",
        at: Located(declared.location, path: declared.path + ".alias"),
        note: "that user is at \(users[right].declared.location)",
        help: "give one of them a different alias")
      // Use an empty alias, because the name derived from the id may conflict too.
      users[wrong].alias = ""
    }
  }

  private func read(_ field: Field, _ users: inout UserReader, _ manifest: Manifest) {
    switch field.node.content {
    case .sequence(let nodes):
      for (index, node) in nodes.enumerated() { users.read(node, index: index) }
    case .mapping:
      guard let fields = users.fields.mapping(field, User.listKeys.table) else { return }
      guard let from = fields["from"] else {
        return users.fields.report(
          .error, .missingKey, "`from` is missing", at: users.fields.located(fields.field),
          help: "specify a file, as in users: { from: users.csv }")
      }
      guard let items = users.fields.list(from, limit: ManifestLimits.lists, least: 1) else {
        return
      }
      let errors = users.fields.diagnostics.count(.error)
      let wanted = PersonFields(fields, &users.fields)
      // After an error in a rule, stop here to avoid repeating the error for every person.
      guard users.fields.diagnostics.count(.error) == errors else { return }
      var lists = ListReader(wanted, self, manifest)
      for item in items { lists.read(item, &users) }
      lists.finish(&users, from: from)
    case .scalar:
      users.fields.reportType(
        field, expected: "a list of users, or a file as in { from: users.csv }")
    }
  }
}

/// Access to the lists in `users: { from: … }`, with paths relative to the manifest's folder.
package protocol ListFiles {
  func fetch(
    _ list: ListAddress, _ network: NetworkSettings
  ) throws(ManifestReader.Refusal) -> ManifestReader.FetchedList
  /// Returns sorted names; folder names end with a slash, and `.` is the manifest's folder.
  func names(in folder: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [String]
  func open(_ path: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [UInt8]
  /// Returns the first bytes of a file, or an empty array if the file does not exist.
  func peek(_ path: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [UInt8]
}

extension FieldReader {
  /// Reports an unsupported version and returns false; a missing version is reported elsewhere.
  fileprivate mutating func isVersionKnown(_ root: Field) -> Bool {
    guard let field = root["version"], !isAbsent(field.node),
      let version = number(field, NumberRange(-1e9...1e9)),
      version != Double(ManifestLimits.version)
    else { return true }
    report(
      .versionUnknown,
      "cannot read manifest version \(version.plain); this sitegen reads version "
        + "\(ManifestLimits.version)", field,
      help: "write `version: \(ManifestLimits.version)`, or update sitegen")
    return false
  }

  fileprivate mutating func checkExamples(of manifest: Manifest, _ pages: Field?) {
    guard manifest.pages.examples != nil, let examples = pages?["examples"] else { return }
    let ids = Set(manifest.users.lazy.map(\.id))
    for item in examples.items {
      guard let id = item.node.text, !ids.contains(id) else { continue }
      let near = nearest(to: id, among: manifest.users.lazy.map(\.id))
      report(
        .unknownUser, "unknown user \(id.quoted)", item,
        help: near.map { "did you mean `\($0)`?" } ?? "list the ids of users")
    }
  }

  /// Reports buttons whose large corners, overlay or shadow cannot be drawn in a bitmap.
  fileprivate mutating func checkBitmaps(of manifest: Manifest) {
    let areForApps = manifest.exports.contains(.xcassets) || manifest.exports.contains(.android)
    for button in manifest.buttons where areForApps || button.emit.contains(.png) {
      if button.cap > ManifestLimits.bitmapCap {
        report(
          .error, .outOfRange, "a corner of \(button.cap.plain) points is too large for a bitmap",
          at: button.declared,
          help: "reduce `radius`; half the height is enough for a capsule")
      }
      if button.overlay != nil, button.emit.contains(.png) {
        report(
          .error, .conflict, "cannot draw `overlay` in button bitmaps, which are stretched",
          at: button.declared, help: "remove `overlay`, or `png` from `emit`")
      } else if areForApps, button.overlay != nil || button.shadow != nil {
        report(
          .note, .notSupported, "button images for apps are drawn without overlay and shadow",
          at: button.declared, help: "draw the overlay and shadow in the app, or remove them")
      }
    }
  }
}
