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
  let open: (String, Bool) throws(Refusal) -> Pieces

  /// Reads nothing yet.
  ///
  /// - Parameters:
  ///   - allowEmpty: a manifest without users is no error.
  ///   - open: opens the file that `users: { from: … }` names, which is relative to the
  ///     manifest; the second argument is `allowOutside`.
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
    let site = fields["site"].flatMap { reader.site($0) } ?? SiteDescription()
    let allowOutside = fields["allowOutside"].flatMap { reader.boolean($0) } ?? false
    let styles = reader.styles(fields)
    let buttons = fields["buttons"].map { reader.buttons($0) } ?? []
    let font = fields["font"].flatMap { reader.namedFile($0) }
    let fallback = fallback(fields, &reader)
    let strips = fields["strips"].map { reader.strips($0) } ?? []
    let exports = reader.exports(fields, site: site)
    reader.checkBitmaps(of: buttons, exports)
    let errors = reader.diagnostics.count(.error)
    let users = users(fields, styles, fallback, allowOutside, &reader)
    // After an error nobody knows who there would be.
    let isComplete = reader.diagnostics.count(.error) == errors
    let pages = reader.pages(fields, styles: styles, users: isComplete ? users : nil)
    let network = fields["network"].map { reader.network($0) } ?? NetworkSettings()
    return Manifest(
      site: site, styles: styles, buttons: buttons, users: users, allowOutside: allowOutside,
      font: font, fallback: fallback, strips: strips, exports: exports, pages: pages,
      network: network)
  }

  /// The sources that every user has at the end of its own.
  private func fallback(_ fields: Fields, _ reader: inout FieldReader) -> [FallbackLink] {
    guard let field = fields["fallback"] else { return [] }
    var users = UserReader(reader, styles: [:])
    let sources = users.sources(field)
    reader.diagnostics = users.fields.diagnostics
    return sources.map { kind, item in
      FallbackLink(
        kind, at: FileLocation(file: reader.file, position: item.node.position),
        path: item.path.text ?? "")
    }
  }

  /// All users, which may be missing where something else makes output.
  private func users(
    _ fields: Fields, _ styles: [AvatarStyle], _ fallback: [FallbackLink], _ allowOutside: Bool,
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
    // After an error nobody knows how many there are.
    if users.users.isEmpty, !mayBeEmpty, reader.diagnostics.count(.error) == errors {
      reader.report(
        .error, .noUsers, "there are no users",
        at: fields["users"]?.node.position ?? fields.position, .key("users", in: .root),
        help: "add some, or allow it with --allow-empty")
    }
    return users.users
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

  fileprivate mutating func namedFile(_ field: Field) -> NamedFile? {
    guard let path = text(field), !path.isEmpty else { return nil }
    return NamedFile(path: path, place: FileLocation(file: file, position: field.node.position))
  }

  fileprivate mutating func site(_ field: Field) -> SiteDescription? {
    guard let fields = mapping(field, .site) else { return nil }
    var site = SiteDescription()
    if let title = fields["title"].flatMap({ text($0) }), !title.isBlank { site.title = title }
    site.description = fields["description"].flatMap { text($0, allowsLines: true) }
    site.url = fields["url"].flatMap { siteURL($0) }
    guard let language = fields["language"], let tag = text(language) else { return site }
    if isLanguageTag(tag) {
      site.language = tag
    } else {
      report(
        .badLanguage, "\(tag.quoted) is no language tag", language,
        help: "write a tag such as en, de or pt-BR")
    }
    return site
  }

  private mutating func siteURL(_ field: Field) -> String? {
    guard let text = text(field), !text.isEmpty else { return nil }
    guard let url = siteAddress(text) else {
      report(
        .badLink, "\(text.quoted) is no address of a site", field,
        help: "write where its first page will be, such as https://example.org/team/")
      return nil
    }
    return url
  }

  /// All styles; one with the defaults if there is no `avatars`.
  fileprivate mutating func styles(_ fields: Fields) -> [AvatarStyle] {
    guard let field = fields["avatars"] else {
      let place = FileLocation(file: file, position: fields.position)
      return [AvatarStyle(place: place, path: "avatars[0]")]
    }
    guard case .sequence = field.node.content else {
      reportType(field, expected: "a list of styles")
      return []
    }
    guard let items = filledList(field, limit: ManifestLimits.styles) else { return [] }
    let drafts = items.map { styleDraft($0) }
    let errors = diagnostics.count(.error)
    let styles = StyleFamily(drafts, reporting: &self).styles(reporting: &self)
    if diagnostics.count(.error) == errors { checkPixels(of: styles, field) }
    return styles
  }
}
