import Documents
import Imaging

extension FieldReader {
  /// What `pages` says; `styles` are those that `show` may name.
  mutating func pages(_ fields: Fields, styles: [AvatarStyle]) -> PageSettings {
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
    pages.examples = fields["examples"].flatMap { field in
      filledList(field, limit: ManifestLimits.examples)?.compactMap { text($0) }
    }
    return pages
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
    return NamedTheme(name: name, place: Place(file: file, position: field.node.position))
  }
}
