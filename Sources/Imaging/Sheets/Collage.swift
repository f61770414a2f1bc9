import Foundation
import Lettering
import Magick
import Recipes

extension Collage {
  func raster(of files: Data, resources: RenderResources) throws(Rejection) -> Raster {
    guard size.fitsCollage, ground.isOpaque || words.isEmpty else {
      throw Rejection(.decodeFailed, "invalid collage size, or text without an opaque background")
    }
    var raster = Raster(size: size, filledWith: ground)
    var rest = files
    for (number, cell) in cells.enumerated() {
      guard cell.frame.fits(size), cell.bytes >= 0, cell.bytes <= rest.count else {
        throw Rejection(.decodeFailed, "picture \(number) does not fit in its collage")
      }
      let file = Data(rest.prefix(cell.bytes))
      let box = cell.frame.size
      let frame = Frame(base: box, box: box, fit: .stretch)
      let picture = try Inspection(inspecting: file).raster(of: file, in: frame)
      rest = rest.dropFirst(cell.bytes)
      raster.lay(picture, x: cell.frame.x, y: cell.frame.y)
    }
    for words in words {
      guard words.frame.fits(size) else {
        throw Rejection(.decodeFailed, "the text does not fit in its collage")
      }
      // Omit text if the fonts lack one of its letters.
      if let letters = try words.raster(on: ground, resources: resources) {
        raster.lay(letters, x: words.frame.x, y: words.frame.y)
      }
    }
    return raster
  }
}

extension Collage.Words {
  /// The gaps between words (as wide as a space in most fonts) and between scripts, in ems.
  private static let gaps = (words: 0.26, kinds: 0.08)

  /// The runs of a line of text with their positions; lengths are in ems.
  private struct Row {
    var runs: [(line: TextLine, x: Double)] = []
    var width = 0.0
  }

  /// Returns the text on a background of the frame's size; returns nil if the fonts lack a letter.
  func raster(on ground: Color, resources: RenderResources) throws(Rejection) -> Raster? {
    var typefaces: [Typeface] = []
    for font in fonts { typefaces.append(try resources.typeface(font)) }
    do throws(LetteringError) {
      var rows: [Row] = []
      for line in lines { rows.append(try row(line, typefaces)) }
      return try raster(of: rows, on: ground)
    } catch {
      if case .missing = error { return nil }
      throw Rejection(error)
    }
  }

  private func row(_ text: String, _ fonts: [Typeface]) throws(LetteringError) -> Row {
    var row = Row()
    for word in text.split(separator: " ") {
      if !row.runs.isEmpty { row.width += Self.gaps.words }
      for (number, run) in Self.runs(of: word).enumerated() {
        if number > 0 { row.width += Self.gaps.kinds }
        let line = try TextLine(run, fonts: fonts)
        row.runs.append((line, row.width))
        row.width += line.advance
      }
    }
    return row
  }

  /// Splits a word into runs that are shaped separately: plain letters and other scripts.
  private static func runs(of word: Substring) -> [String] {
    var runs: [String] = []
    var wasPlain: Bool?
    for character in word {
      // Latin, Greek and Cyrillic are below U+0530, and most of their extensions are below U+2000.
      let isPlain = character.unicodeScalars.allSatisfy { $0.value < 0x2100 }
      if wasPlain == isPlain {
        runs[runs.count - 1].append(character)
      } else {
        runs.append(String(character))
      }
      wasPlain = isPlain
    }
    return runs
  }

  private func raster(of rows: [Row], on ground: Color) throws(LetteringError) -> Raster {
    let widest = rows.map(\.width).max() ?? 0
    guard widest > 0 else { return Raster(size: frame.size, filledWith: ground) }
    // Reserve one pixel on each side for antialiased edges.
    let em = min(Double(emPixels), Double(max(1, frame.width - 2)) / widest)
    let pitch = Double(frame.height) / Double(rows.count)
    var coverage = InkCoverage(width: frame.width, height: frame.height)
    var bitmaps: [PlacedBitmap] = []
    for (number, row) in rows.enumerated() {
      let left = (Double(frame.width) - row.width * em) / 2
      // Cap height is about 0.7 em, so this centres capitals in their line.
      let baseline = (Double(number) + 0.5) * pitch + 0.35 * em
      for (line, x) in row.runs {
        try line.draw(emPixels: em, x: left + x * em, y: baseline, into: &coverage)
        bitmaps += try line.bitmaps(emPixels: em, x: left + x * em, y: baseline)
      }
    }
    var raster = Raster(size: frame.size, filledWith: ground)
    raster.paint(Paint(ink), through: coverage)
    for bitmap in bitmaps { raster.lay(bitmap) }
    return raster
  }
}

extension Raster {
  fileprivate mutating func paint(_ paint: Paint, through coverage: InkCoverage) {
    var pixels = bytes.mutableSpan
    let values = coverage.values.span
    for index in values.indices where values[index] > 0 {
      let covered = Int(values[index])
      paint.mix(
        into: &pixels, at: index &* 4, keeping: (255 &- covered) &* 255, adding: covered &* 255)
    }
  }
}
