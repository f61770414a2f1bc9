import Diagnostics
import Documents
import Recipes

extension FieldReader {
  /// What `pages` says.
  ///
  /// - Parameters:
  ///   - fields: Of the manifest.
  ///   - styles: What `show` may name.
  ///   - users: Whom `examples` may name; nil where that is not known.
  /// - Returns: With the defaults for all that it does not say.
  mutating func pages(_ fields: Fields, styles: [AvatarStyle], users: [User]?) -> PageSettings {
    var pages = PageSettings()
    guard let fields = fields["pages"].flatMap({ mapping($0, .pages) }) else { return pages }
    if let size = fields["size"].flatMap({ whole($0, .pageSize) }) { pages.size = size }
    pages.show = fields["show"].flatMap { shownStyles($0, among: styles) }
    pages.theme = fields["theme"].flatMap { theme($0) }
    pages.people = fields["people"].flatMap { boolean($0) } ?? pages.people
    pages.tags = fields["tags"].flatMap { boolean($0) } ?? pages.tags
    pages.styles = fields["styles"].flatMap { boolean($0) } ?? pages.styles
    pages.feed = fields["feed"].flatMap { boolean($0) } ?? pages.feed
    pages.cards = fields["cards"].flatMap { boolean($0) } ?? pages.cards
    if let color = fields["cardColor"].flatMap({ color($0) }) {
      pages.cardColor = color.over(.white)
    }
    pages.examples = fields["examples"].flatMap { examples($0, among: users) }
    return pages
  }

  private mutating func examples(_ field: Field, among users: [User]?) -> [String]? {
    guard let items = filledList(field, limit: ManifestLimits.examples) else { return nil }
    let ids = users.map { Set($0.lazy.map(\.id)) }
    var examples: [String] = []
    for item in items {
      guard let id = text(item, limit: ManifestLimits.idBytes, id: .badID) else { continue }
      examples.append(id)
      guard let ids, let users, !ids.contains(id) else { continue }
      let near = nearest(to: id, among: users.lazy.map(\.id))
      report(
        .unknownUser, "there is no user with the id \(id.quoted)", item,
        help: near.map { "did you mean `\($0)`?" } ?? "name the ids of users")
    }
    return examples
  }

  private mutating func shownStyles(_ field: Field, among styles: [AvatarStyle]) -> [Int]? {
    var shown: [Int] = []
    for item in filledList(field, limit: ManifestLimits.styles) ?? [] {
      guard let name = text(item) else { continue }
      if let index = styles.firstIndex(where: { $0.name == name }) {
        if !shown.contains(index) { shown.append(index) }
      } else {
        report(
          .unknownStyle, "there is no style called \(name.quoted)", item,
          help: suggestion(for: name, among: styles.map(\.name)))
      }
    }
    return shown
  }

  private mutating func theme(_ field: Field) -> NamedTheme? {
    guard let name = text(field, limit: ManifestLimits.nameBytes, id: .badName) else { return nil }
    let isWord =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
    guard isWord else {
      report(
        .badName, "\(name.quoted) is no name of a theme", field,
        help: "names of themes have the characters a-z, 0-9 and -")
      return nil
    }
    return NamedTheme(name: name, place: FileLocation(file: file, position: field.node.position))
  }
}
