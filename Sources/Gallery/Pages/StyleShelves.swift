import Manifest
import Plan

/// Which pictures stand on the cards of the people's pages, and who has the others of each style.
struct StyleShelves: Sendable {
  /// Of each style, who has a picture of it that is on no card, ascending.
  private(set) var hidden: [[Int32]]
  /// Of each style, how many have a picture of it.
  private(set) var counts: [Int]
  /// Of each style, who is its example.
  private(set) var examples: [[Int32]]

  private static let defaultExamples = 6

  init(_ content: SiteContent) {
    let styles = content.manifest.styles.count
    let named = content.manifest.pages.examples.map { Set($0) }
    hidden = Array(repeating: [], count: styles)
    counts = Array(repeating: 0, count: styles)
    examples = hidden
    for user in content.manifest.users.indices where content.source(of: user) != nil {
      let own = content.styles(of: user)
      let shown = content.shownStyles(of: user)
      let isNamed = named?.contains(content.manifest.users[user].id)
      for style in own {
        counts[style] += 1
        if !shown.contains(style) { hidden[style].append(Int32(user)) }
        if isNamed ?? (examples[style].count < Self.defaultExamples) {
          examples[style].append(Int32(user))
        }
      }
    }
  }

  /// Whether anybody has a picture.
  var hasPictures: Bool { counts.contains { $0 > 0 } }
}
