import CHarfBuzz

/// A short line of text with font fallback; lengths are in ems.
package struct TextLine {
  private struct Piece {
    let typeface: Typeface
    let run: Typeface.Run
    var x: Double

    var advance: Double { Double(run.advance) / Double(typeface.unitsPerEm) }
  }

  /// The space between separately shaped clusters, so that Arabic letters do not seem to join.
  private static let gap = 0.1

  private var pieces: [Piece] = []
  package let ink: InkBox
  package var advance: Double { pieces.last.map { $0.x + $0.advance } ?? 0 }
  /// The first font's cap height; nil unless all text is Latin, Greek, Cyrillic or digits.
  package let capHeight: Double?

  /// Lays out the text.
  ///
  /// Latin, Greek and Cyrillic text in a single font is shaped as a whole, for kerning. In other
  /// text, each grapheme cluster is shaped separately, so that Arabic letters do not join. The line
  /// runs from right to left if the first letter's script does.
  package init(_ text: String, fonts: [Typeface]) throws(LetteringError) {
    var choices: [(cluster: Character, typeface: Typeface, run: Typeface.Run)] = []
    for cluster in text {
      guard let choice = try Self.choose(cluster, fonts) else {
        throw .missing(Self.lacking(cluster, fonts))
      }
      choices.append((cluster, choice.typeface, choice.run))
    }
    guard let first = choices.first else { throw .missing([]) }
    let areCapitals = text.unicodeScalars.allSatisfy(\.standsOnBaseline)
    if choices.count > 1, areCapitals, choices.allSatisfy({ $0.typeface === first.typeface }),
      let run = first.typeface.shape(text, keepsApart: true)
    {
      pieces = [Piece(typeface: first.typeface, run: run, x: 0)]
    } else {
      let isLeftwards = text.unicodeScalars.first.map { sitegen_runs_leftwards($0.value) != 0 }
      var x = 0.0
      for choice in isLeftwards == true ? choices.reversed() : choices {
        let piece = Piece(typeface: choice.typeface, run: choice.run, x: x)
        pieces.append(piece)
        x += piece.advance + Self.gap
      }
    }
    var ink: InkBox?
    for piece in pieces {
      guard let part = try piece.typeface.ink(of: piece.run)?.scaled(by: 1, movedBy: piece.x)
      else { continue }
      ink = ink?.union(part) ?? part
    }
    guard let ink else { throw .missing(text.unicodeScalars.map(\.value)) }
    self.ink = ink
    capHeight = areCapitals ? try first.typeface.capHeight() : nil
  }

  /// Draws all outlines; the line starts at `x` on the baseline `y`, both in pixels.
  package func draw(
    emPixels: Double, x: Double, y: Double, into coverage: inout InkCoverage
  ) throws(LetteringError) {
    for piece in pieces {
      try piece.typeface.draw(
        piece.run, emPixels: emPixels, x: x + piece.x * emPixels, y: y, into: &coverage)
    }
  }

  package func bitmaps(
    emPixels: Double, x: Double, y: Double
  ) throws(LetteringError) -> [PlacedBitmap] {
    var placed: [PlacedBitmap] = []
    for piece in pieces {
      placed += try piece.typeface.bitmaps(
        of: piece.run, emPixels: emPixels, x: x + piece.x * emPixels, y: y)
    }
    return placed
  }

  /// Returns the first font that contains all glyphs of a cluster and draws visible ink.
  private static func choose(
    _ cluster: Character, _ fonts: [Typeface]
  ) throws(LetteringError) -> (typeface: Typeface, run: Typeface.Run)? {
    for typeface in fonts {
      guard let run = typeface.shape(String(cluster)), try typeface.ink(of: run) != nil
      else { continue }
      return (typeface, run)
    }
    return nil
  }

  /// Returns the code points that no font covers, or all code points if each is covered by a font.
  private static func lacking(_ cluster: Character, _ fonts: [Typeface]) -> [UInt32] {
    let scalars = Array(cluster.unicodeScalars)
    let lacking = scalars.filter { scalar in !fonts.contains { $0.has(scalar) } }
    return (lacking.isEmpty ? scalars : lacking).map(\.value)
  }
}

extension Typeface {
  fileprivate func capHeight() throws(LetteringError) -> Double? {
    guard let run = shape("H") else { return nil }
    return try ink(of: run)?.top
  }
}

extension Unicode.Scalar {
  /// Whether the code point is Latin, Greek or Cyrillic, including digits, marks and punctuation.
  fileprivate var standsOnBaseline: Bool {
    switch value {
    case 0..<0x530, 0x1C80..<0x1C90, 0x1D00..<0x2000, 0x2010..<0x2028, 0x2C60..<0x2C80,
      0xA640..<0xA6A0, 0xA720..<0xA800, 0xAB30..<0xAB70:
      true
    default: false
    }
  }
}
