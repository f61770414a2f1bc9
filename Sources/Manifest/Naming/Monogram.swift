package import Recipes

/// What initials shall say, and on what ground; not yet in which font.
package struct Monogram: Hashable, Sendable {
  /// One or two grapheme clusters in NFC.
  package let text: String
  package let ground: Color

  /// Nil where neither name nor id has a letter, a digit or an emoji.
  ///
  /// - Parameters:
  ///   - name: What is shown.
  ///   - id: Gives the colour, and the letter if the name has none.
  ///   - ground: What the user asks for instead of the colour of the id.
  package init?(name: String, id: String, ground: Color? = nil) {
    guard let text = Initialism.letters(of: name) ?? Initialism.letter(of: id) else { return nil }
    self.text = text
    self.ground = ground ?? Palette.color(of: id)
  }
}
