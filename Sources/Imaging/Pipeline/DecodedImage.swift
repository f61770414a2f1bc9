import Magick
import Recipes

/// A decoded source: lying as its file stores it, reduced, and perhaps not yet in sRGB.
///
/// A class, since it is shared and a canvas cannot be copied; nothing in it changes.
final class Negative {
  private let canvas: Canvas
  private let conversion: ColorConversion?
  /// Nil where the canvas has its own.
  private let alpha: AlphaPlane?
  let inspection: Inspection
  /// The denominator of the decode.
  let reduction: Int

  /// Rows that are exported at a time: few enough to stay in a cache.
  private static let band = 32

  init(
    _ canvas: consuming Canvas, _ inspection: Inspection, reduction: Int = 1,
    conversion: ColorConversion? = nil, alpha: AlphaPlane? = nil
  ) {
    self.canvas = canvas
    self.conversion = conversion
    self.alpha = alpha
    self.inspection = inspection
    self.reduction = reduction
  }

  /// Converts to sRGB, scales, crops and turns upright.
  ///
  /// Turning comes last, since it commutes with the others and moves the fewest pixels then. A
  /// reduced decode rounds its size up; the window is exact.
  func developed(_ placement: Placement) throws(MagickError) -> Raster {
    let turn = Turn(orientation: inspection.orientation)
    let scale = 1 / Double(reduction)
    var resampler = Resampler(
      window: turn.stored(placement.window, of: inspection.uprightSize).scaled(scale, scale),
      of: PixelSize(width: canvas.width, height: canvas.height),
      to: turn.stored(placement.drawn))
    let rows = resampler.rowRange
    let columns = resampler.columnRange
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
      let band = start..<min(start + Self.band, rows.upperBound)
      var pixels = try canvas.rgba(columns: columns, rows: band)
      alpha?.apply(to: &pixels, columns: columns, rows: band)
      conversion?.apply(to: &pixels)
      resampler.add(pixels.span)
    }
    return turn.upright(resampler.finish())
  }
}
