import Lettering
import Recipes

extension Initials {
  /// What the letters take of the shorter side, at most, in either direction.
  private static let room = 0.62
  /// An em as a part of the shorter side: of one letter, and of several.
  private static let em = (alone: 0.52, together: 0.42)

  func raster(size: PixelSize, resources: RenderResources) throws(Rejection) -> Raster {
    var typefaces: [Typeface] = []
    for font in fonts { typefaces.append(try resources.typeface(font)) }
    do throws(LetteringError) {
      return try raster(size: size, line: try Line(text, fonts: typefaces))
    } catch {
      throw Rejection(error)
    }
  }

  /// Left free above and below, at least, whatever is piled up there.
  private static let edge = 0.05

  /// Centred on the ink; vertically on the height of capitals where the letters are such, as long
  /// as all of the ink is inside then.
  private func raster(size: PixelSize, line: Line) throws(LetteringError) -> Raster {
    let side = Double(size.shorterSide)
    let ink = line.ink
    let emPixels =
      side
      * min(
        text.count > 1 ? Self.em.together : Self.em.alone, Self.room / ink.width,
        Self.room / ink.height)
    let x = (Double(size.width) - (ink.left + ink.right) * emPixels) / 2
    let height = line.capHeight ?? (ink.bottom + ink.top)
    let centred = (Double(size.height) + height * emPixels) / 2
    let edge = Self.edge * side
    let y = max(
      min(centred, Double(size.height) - edge + ink.bottom * emPixels),
      edge + ink.top * emPixels)
    var sheet = Sheet(width: size.width, height: size.height)
    try line.draw(emPixels: emPixels, x: x, y: y, on: &sheet)
    var raster = Raster(size: size, bytes: painted(sheet))
    for bitmap in try line.bitmaps(emPixels: emPixels, x: x, y: y) { raster.lay(bitmap) }
    return raster
  }

  /// Ground and ink by coverage, in 64 steps: few enough colours for a palette.
  private func painted(_ sheet: Sheet) -> [UInt8] {
    let steps = 63
    let paint = Paint(ink)
    var colors = [UInt8](repeating: 0, count: 256 * 4)
    var table = colors.mutableSpan
    for coverage in 0..<256 {
      let step = (coverage * steps + 127) / 255
      for (channel, value) in [ground.red, ground.green, ground.blue, ground.alpha].enumerated() {
        table[coverage * 4 + channel] = value
      }
      guard step > 0 else { continue }
      paint.mix(
        into: &table, at: coverage * 4, keeping: (steps - step) * Int(ground.alpha),
        adding: step * paint.alpha, scale: steps)
    }
    var bytes = [UInt8](repeating: 0, count: sheet.coverage.count * 4)
    var pixels = bytes.mutableSpan
    let coverage = sheet.coverage.span
    let lookup = colors.span
    for index in coverage.indices {
      let from = Int(coverage[index]) &* 4
      let to = index &* 4
      pixels[to] = lookup[from]
      pixels[to &+ 1] = lookup[from &+ 1]
      pixels[to &+ 2] = lookup[from &+ 2]
      pixels[to &+ 3] = lookup[from &+ 3]
    }
    return bytes
  }
}
