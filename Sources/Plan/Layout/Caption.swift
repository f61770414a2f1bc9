import Manifest
package import Recipes

/// Text broken into lines, and its size in pixels.
///
/// The width is estimated without a font. The renderer shrinks text that is wider than estimated.
package struct Caption: Hashable, Sendable {
  package let lines: [String]
  /// The size in pixels, never wider than requested; 1 × 20 without text.
  package let size: PixelSize
  package let em: Int

  package static let leastHeight = 20

  /// Breaks text into lines; an ellipsis replaces text that does not fit.
  ///
  /// `em` (the font size) and `width` are in pixels.
  package init(_ text: String, em: Int, width: Int, lines most: Int = 1) {
    var lines: [String] = []
    var rest = text.split(whereSeparator: \.isWhitespace)[...]
    while !rest.isEmpty, lines.count < most {
      lines.append(Self.line(from: &rest, em: em, width: width))
    }
    if !rest.isEmpty, let last = lines.popLast() {
      lines.append(Self.shortened(last, em: em, width: width))
    }
    self.lines = lines
    self.em = em
    let widest = lines.map { Self.width(of: $0, em: em) }.max() ?? 1
    size = PixelSize(
      width: max(1, min(widest, width)),
      height: max(Self.leastHeight, lines.count * em * 5 / 4))
  }

  /// Removes and returns as many words as fit; a word that is longer than a line is split.
  private static func line(from words: inout ArraySlice<Substring>, em: Int, width: Int) -> String {
    var line = ""
    while let word = words.first {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if Self.width(of: longer, em: em) <= width {
        line = longer
        words = words.dropFirst()
        continue
      }
      guard line.isEmpty else { break }
      var part = word.prefix(1)
      while part.count < word.count, Self.width(of: word.prefix(part.count + 1), em: em) <= width {
        part = word.prefix(part.count + 1)
      }
      let rest = word.dropFirst(part.count)
      words = (rest.isEmpty ? [] : [rest]) + words.dropFirst()
      return String(part)
    }
    return line
  }

  private static func shortened(_ line: String, em: Int, width: Int) -> String {
    var line = line[...]
    while !line.isEmpty, self.width(of: line + "…", em: em) > width {
      line = line.lastIndex(of: " ").map { line[..<$0] } ?? line.dropLast()
    }
    return line + "…"
  }

  /// Returns a generous estimate of a line's width, in pixels.
  static func width(of line: some StringProtocol, em: Int) -> Int {
    let sum = line.reduce(0) { $0 + hundredths(of: $1) }
    return (sum * em + 99) / 100
  }

  private static func hundredths(of character: Character) -> Int {
    if character.isWhitespace { return 30 }
    if character.isEmoji { return 130 }
    if character.unicodeScalars.first?.isEastAsian == true { return 112 }
    if character.utf8.count == 1, "iljtfrI.,:;'!|()-".contains(character) { return 42 }
    if "mwMW@%".contains(character) { return 98 }
    return character.isUppercase ? 74 : 62
  }
}
