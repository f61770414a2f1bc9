import Foundation
import Lettering
import Magick
import Recipes

extension Collage {
  /// Decodes the pictures one by one, and lays each on its place.
  ///
  /// - Parameters:
  ///   - files: The file of each cell, one behind the other.
  ///   - resources: Has the fonts.
  /// - Throws: When a file is no picture, or something does not lie inside.
  /// - Returns: The pixels, all opaque.
  func raster(of files: Data, resources: RenderResources) throws(Rejection) -> Raster {
    guard (1...SpriteSheet.limit).contains(size.width),
      (1...SpriteSheet.limit).contains(size.height), ground.isOpaque
    else { throw Rejection(.decodeFailed, "a collage has a ground and a size") }
    var raster = Raster(size: size, filledWith: ground)
    var rest = files
    for (number, cell) in cells.enumerated() {
      guard cell.frame.fits(size), cell.bytes >= 0, cell.bytes <= rest.count else {
        throw Rejection(.decodeFailed, "picture \(number) does not fit its collage")
      }
      let picture = try picture(Data(rest.prefix(cell.bytes)), size: cell.frame.size)
      rest = rest.dropFirst(cell.bytes)
      raster.lay(picture, x: cell.frame.x, y: cell.frame.y)
    }
    if let words {
      guard words.frame.fits(size) else {
        throw Rejection(.decodeFailed, "the words do not fit their collage")
      }
      // A title whose letters no font has is left out: the picture is worth having without it.
      if let title = try words.raster(on: ground, resources: resources) {
        raster.lay(title, x: words.frame.x, y: words.frame.y)
      }
    }
    return raster
  }

  private func picture(_ file: Data, size: PixelSize) throws(Rejection) -> Raster {
    let inspection = try Inspection(inspecting: file)
    let frame = Frame(base: size, box: size, fit: .stretch)
    var picture = try Picture(
      decoding: file, as: inspection, reduction: inspection.reduction(for: frame))
    return try picture.fit(frame)
  }
}

extension Recipe {
  /// A collage as a file, the smallest without loss.
  func encoded(collage raster: Raster) throws(Rejection) -> RenderedImage {
    guard raster.size == frame.box, margins == .none, outline == .square, filters.isEmpty,
      effects.isEmpty
    else { throw Rejection(.renderFailed, "a collage is a picture as it is") }
    do {
      return try encoding.encode(raster)
    } catch {
      throw Rejection(.encodeFailed, error.sentence)
    }
  }
}

extension Collage.Words {
  /// Between two words, and between letters of two kinds, in ems.
  private static let gaps = (words: 0.34, kinds: 0.08)

  /// One line, and where each of its runs begins; lengths are in ems.
  private struct Row {
    var runs: [(line: Line, x: Double)] = []
    var width = 0.0
  }

  /// The words on a ground of their own, as large as their frame; nil when a font lacks a letter.
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
        let line = try Line(run, fonts: fonts)
        row.runs.append((line, row.width - line.ink.left))
        row.width += line.ink.width
      }
    }
    return row
  }

  /// Letters that are shaped together, so that none of another kind comes between them.
  private static func runs(of word: Substring) -> [String] {
    var runs: [String] = []
    var wasPlain: Bool?
    for character in word {
      // Latin, Greek and Cyrillic begin below U+0530, their other letters lie below U+2000.
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
    // A pixel at each side is for edges that are smoothed.
    let em = min(Double(emPixels), Double(max(1, frame.width - 2)) / widest)
    let pitch = Double(frame.height) / Double(rows.count)
    var sheet = Sheet(width: frame.width, height: frame.height)
    var bitmaps: [PlacedBitmap] = []
    for (number, row) in rows.enumerated() {
      let left = (Double(frame.width) - row.width * em) / 2
      // Capitals have about seven tenths of an em: they are in the middle of their line.
      let baseline = (Double(number) + 0.5) * pitch + 0.35 * em
      for (line, x) in row.runs {
        try line.draw(emPixels: em, x: left + x * em, y: baseline, on: &sheet)
        bitmaps += try line.bitmaps(emPixels: em, x: left + x * em, y: baseline)
      }
    }
    var raster = Raster(size: frame.size, filledWith: ground)
    raster.paint(Paint(ink), through: sheet)
    for bitmap in bitmaps { raster.lay(bitmap) }
    return raster
  }
}

extension Raster {
  /// Lays an opaque colour on as far as a sheet of the same size is covered.
  fileprivate mutating func paint(_ paint: Paint, through sheet: Sheet) {
    var pixels = bytes.mutableSpan
    let coverage = sheet.coverage.span
    for index in coverage.indices where coverage[index] > 0 {
      let covered = Int(coverage[index])
      paint.mix(
        into: &pixels, at: index &* 4, keeping: (255 &- covered) &* 255, adding: covered &* 255)
    }
  }
}
