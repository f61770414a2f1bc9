package import Recipes

/// What initials shall say, and on what ground; not yet in which font.
package struct Monogram: Hashable, Sendable {
  /// One or two grapheme clusters in NFC; nil where neither name nor id has a letter, a digit or an
  /// emoji.
  package let text: String?
  package let ground: Color

  /// - Parameters:
  ///   - name: What is shown.
  ///   - id: Gives the colour, and the letter if the name has none.
  ///   - ground: What the user asks for instead of the colour of the id.
  package init(name: String, id: String, ground: Color? = nil) {
    text = Initialism.letters(of: name) ?? Initialism.letter(of: id)
    self.ground = ground ?? Palette.color(of: id)
  }
}
