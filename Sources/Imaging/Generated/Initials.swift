import Lettering
import Recipes

extension Initials {
  /// The text's maximum width and height, relative to the shorter side.
  private static let room = 0.62
  /// The em size relative to the shorter side, for one letter and for several.
  private static let em = (alone: 0.52, together: 0.42)

  func raster(size: PixelSize, resources: RenderResources) throws(Rejection) -> Raster {
    var typefaces: [Typeface] = []
    for font in fonts { typefaces.append(try resources.typeface(font)) }
    do throws(LetteringError) {
      return try raster(size: size, line: try TextLine(text, fonts: typefaces))
    } catch {
      throw Rejection(error)
    }
  }

  /// The minimum margin above and below the ink, relative to the shorter side.
  private static let edge = 0.05

  /// Centres the ink horizontally and the cap height vertically, but keeps the vertical margin.
  private func raster(size: PixelSize, line: TextLine) throws(LetteringError) -> Raster {
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
    var coverage = InkCoverage(width: size.width, height: size.height)
    try line.draw(emPixels: emPixels, x: x, y: y, into: &coverage)
    var raster = Raster(size: size, bytes: painted(coverage))
    for bitmap in try line.bitmaps(emPixels: emPixels, x: x, y: y) { raster.lay(bitmap) }
    return raster
  }

  /// Mixes background and ink in 64 steps, which are few enough colours for a palette.
  private func painted(_ coverage: InkCoverage) -> [UInt8] {
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
    var bytes = [UInt8](repeating: 0, count: coverage.values.count * 4)
    var pixels = bytes.mutableSpan
    let values = coverage.values.span
    let lookup = colors.span
    for index in values.indices {
      let from = Int(values[index]) &* 4
      let to = index &* 4
      pixels[to] = lookup[from]
      pixels[to &+ 1] = lookup[from &+ 1]
      pixels[to &+ 2] = lookup[from &+ 2]
      pixels[to &+ 3] = lookup[from &+ 3]
    }
    return bytes
  }
}
