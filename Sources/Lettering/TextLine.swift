import CHarfBuzz

/// A few letters on one line, each in the first font that has it; lengths are in ems.
package struct TextLine {
  private struct Piece {
    let typeface: Typeface
    let run: Typeface.Run
    /// Where it starts, from the start of the line.
    var x: Double

    var advance: Double { Double(run.advance) / Double(typeface.unitsPerEm) }
  }

  /// Between letters that are shaped apart; without it Arabic letters would seem to join.
  private static let gap = 0.1

  private var pieces: [Piece] = []
  /// Around everything visible.
  package let ink: InkBox
  /// From the start of the line to where the next letter would begin.
  package var advance: Double { pieces.last.map { $0.x + $0.advance } ?? 0 }
  /// Of the first letter's font; nil unless all letters stand on the baseline as capitals do: Latin,
  /// Greek and Cyrillic letters, and digits.
  package let capHeight: Double?

  /// Lays the letters out.
  ///
  /// Each grapheme cluster is shaped by itself and keeps its own form (Arabic letters do not join);
  /// only capitals of one font are shaped together, for their kerning. If the first letter is of a
  /// script that is written from right to left, the line starts at the right.
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

  /// Draws all outlines; the line starts at `x` on the baseline `y`, in pixels.
  package func draw(
    emPixels: Double, x: Double, y: Double, into coverage: inout InkCoverage
  ) throws(LetteringError) {
    for piece in pieces {
      try piece.typeface.draw(
        piece.run, emPixels: emPixels, x: x + piece.x * emPixels, y: y, into: &coverage)
    }
  }

  /// Places all coloured pictures, likewise.
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

  /// The first font that has every glyph of a cluster, and something to show for it.
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

  /// The code points that no font has; all of the cluster if each is in some font.
  private static func lacking(_ cluster: Character, _ fonts: [Typeface]) -> [UInt32] {
    let scalars = Array(cluster.unicodeScalars)
    let lacking = scalars.filter { scalar in !fonts.contains { $0.has(scalar) } }
    return (lacking.isEmpty ? scalars : lacking).map(\.value)
  }
}

extension Typeface {
  /// The height of a flat capital, in ems.
  fileprivate func capHeight() throws(LetteringError) -> Double? {
    guard let run = shape("H") else { return nil }
    return try ink(of: run)?.top
  }
}

extension Unicode.Scalar {
  /// Whether it is of Latin, Greek or Cyrillic, marks included.
  fileprivate var standsOnBaseline: Bool {
    switch value {
    case 0..<0x530, 0x1C80..<0x1C90, 0x1D00..<0x2000, 0x2C60..<0x2C80, 0xA640..<0xA6A0,
      0xA720..<0xA800, 0xAB30..<0xAB70:
      true
    default: false
    }
  }
}
