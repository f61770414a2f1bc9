import Recipes

/// The fonts of a build, by digest: which ones a text is written in, and in what order.
struct FontChain: Sendable {
  /// That of the manifest.
  var own: String?
  /// Declared fonts that are installed, as far as this build needs them.
  var declared: [DeclaredFont: String] = [:]

  /// Digests for one text, which depend on nothing but the text and the fonts that it needs.
  ///
  /// The manifest's font comes first, but for emoji: many fonts have a few of them without colour.
  func fonts(for text: String) -> Result<[String], Rejection> {
    let wanted = DeclaredFont.fonts(for: text)
    let missing = wanted.first { declared[$0] == nil }
    if own == nil, let missing {
      return .failure(
        Rejection(
          .fontMissing,
          "\(missing.file) of the Debian package \(missing.package) is not installed"))
    }
    let emoji = wanted.contains(.emoji) ? [declared[.emoji]] : []
    let others = wanted.filter { $0 != .emoji }.map { declared[$0] }
    return .success((emoji + [own] + others).compactMap { $0 })
  }
}
