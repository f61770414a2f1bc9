/// Why a text could not be drawn.
package enum LetteringError: Error, Hashable, Sendable {
  /// The bytes are no font that can be drawn from, or one of its glyphs is broken.
  case unusable(String)
  /// No font has these code points, or none has all that one letter is made of.
  case missing([UInt32])
}
