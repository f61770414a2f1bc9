import Foundation
import Magick
import Recipes

/// A decoded source: not yet upright, reduced, and perhaps not yet in sRGB.
///
/// A class, since it is shared and a canvas cannot be copied; nothing in it changes.
final class DecodedImage {
  private let canvas: Canvas
  private let conversion: ColorConversion?
  /// Whether the file has a colour profile that cannot be used.
  let ignoresProfile: Bool
  /// Nil where the canvas has its own.
  private let alpha: AlphaPlane?
  let inspection: Inspection
  /// The denominator of the decode.
  let reduction: Int

  /// Rows that are exported at a time, few enough for the processor's cache.
  private static let band = 32

  init(
    _ canvas: consuming Canvas, _ inspection: Inspection, reduction: Int = 1,
    conversion: ColorConversion? = nil, ignoresProfile: Bool = false, alpha: AlphaPlane? = nil
  ) {
    self.canvas = canvas
    self.conversion = conversion
    self.ignoresProfile = ignoresProfile
    self.alpha = alpha
    self.inspection = inspection
    self.reduction = reduction
  }

  /// Takes in RGBA, 8 bits a channel, row by row.
  convenience init(raster bytes: Data, size: PixelSize) throws(Rejection) {
    guard size.width > 0, size.height > 0, bytes.count == size.rasterBytes else {
      throw Rejection(
        .decodeFailed, "\(bytes.count) bytes do not fill \(size.width) × \(size.height) pixels")
    }
    do {
      let canvas = try Canvas(rgba: [UInt8](bytes).span, width: size.width, height: size.height)
      self.init(canvas, Inspection(format: .png, size: size))
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// Converts to sRGB, scales, crops and turns upright.
  ///
  /// Turning comes last, since it commutes with the others and moves the fewest pixels then. A
  /// reduced decode rounds its size up; the window is exact.
  func fitted(_ placement: Placement) throws(MagickError) -> Raster {
    let orientation = ExifOrientation(inspection.orientation)
    let scale = 1 / Double(reduction)
    var resampler = Resampler(
      window: orientation.stored(placement.window, of: inspection.uprightSize).scaled(scale, scale),
      of: PixelSize(width: canvas.width, height: canvas.height),
      to: orientation.stored(placement.drawn))
    let rows = resampler.rowRange
    let columns = resampler.columnRange
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
      let band = start..<min(start + Self.band, rows.upperBound)
      var pixels = try canvas.rgba(columns: columns, rows: band)
      alpha?.apply(to: &pixels, columns: columns, rows: band)
      conversion?.apply(to: &pixels)
      resampler.add(pixels.span)
    }
    return orientation.upright(resampler.finish())
  }
}

extension Inspection {
  /// Decodes the file; it still lies as it is stored.
  ///
  /// ImageMagick may return fewer pixels and report success, so this compares the size with the
  /// header and refuses a JPEG that ends early.
  func decode(_ bytes: Data, reduction: Int) throws(Rejection) -> DecodedImage {
    var canvas = try read(bytes, reduction: reduction)
    if format == .jpeg, let warning = canvas.decoderWarning,
      warning.lowercased().contains("premature end")
    {
      throw Rejection(.truncated, "the picture data end before the last row")
    }
    let size = PixelSize(width: canvas.width, height: canvas.height)
    let wanted = decodedSize(reduction: reduction)
    guard size == wanted else {
      throw Rejection(
        .decodeFailed,
        "\(size.width) × \(size.height) pixels came out where the header promises "
          + "\(wanted.width) × \(wanted.height)")
    }
    let isHEIF = format == .avif || format == .heic
    let alpha =
      isHEIF && !canvas.hasAlpha
      ? try AlphaPlane(ofHEIF: bytes, coder: format.coder, size: size) : nil
    do {
      let profile = isHEIF ? HEIFMeta.profile(of: bytes) : nil
      let colors = try canvas.normalizeColors(profile: profile)
      return DecodedImage(
        canvas, self, reduction: reduction, conversion: colors.conversion,
        ignoresProfile: colors.ignoresProfile, alpha: alpha)
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// Decodes the file and brings it into a frame without a finder.
  func raster(of bytes: Data, in frame: Frame) throws(Rejection) -> Raster {
    let decoded = try decode(bytes, reduction: reduction(for: frame))
    let placement = frame.placement(of: uprightSize, in: frame.box)
    do {
      return try decoded.fitted(placement).placed(in: frame.box, x: placement.x, y: placement.y)
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// The decoder sees only the picture and its profile, since decoders have had faults in handling
  /// text and trailing bytes.
  private func read(_ bytes: Data, reduction: Int) throws(Rejection) -> Canvas {
    let essential = try sanitized(bytes)
    do {
      var canvas = try Canvas(
        decoding: essential, coder: format.coder,
        options: reduction > 1 ? [("jpeg:size", decodingHint(reduction: reduction))] : [])
      if format == .gif || frames > 1 {
        try canvas.coalesce(width: size.width, height: size.height)
      }
      try canvas.repage()
      return canvas
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// The size that makes ImageMagick's JPEG coder divide by exactly `reduction`.
  ///
  /// It takes a size, divides the file's by it and drops the fraction; aiming half a step above
  /// the wanted number leaves no room for rounding.
  func decodingHint(reduction: Int) -> String {
    let divisor = Double(reduction) + 0.5
    return "\(Double(size.width) / divisor)x\(Double(size.height) / divisor)"
  }
}

extension Inspection.Format {
  /// ImageMagick's name.
  var coder: String { rawValue.uppercased() }
}

extension MagickError {
  /// ImageMagick's words without the position in its source code.
  var sentence: String {
    let words = message.components(separatedBy: " @ ")[0]
    return words.isEmpty ? "\(call) failed without a reason" : "\(call): \(words)"
  }
}

/// The alpha of a picture, if the decoder does not deliver it.
struct AlphaPlane {
  let values: [UInt8]
  let width: Int
  /// Whether the colours were multiplied with it.
  let isPremultiplied: Bool

  /// Nil when the file has none; it must have the size of its picture.
  init?(ofHEIF file: Data, coder: String, size: PixelSize) throws(Rejection) {
    guard let alpha = try HEIFMeta.alphaFile(of: file) else { return nil }
    do throws(MagickError) {
      let canvas = try Canvas(decoding: alpha.file, coder: coder)
      guard canvas.width == size.width, canvas.height == size.height else {
        throw MagickError(call: "alpha", message: "it has another size than its picture")
      }
      // The first channel has the brightness in every colour model.
      let pixels = try canvas.rgba()
      let span = pixels.span
      var values = [UInt8](repeating: 0, count: span.count / 4)
      for index in values.indices { values[index] = span[index &* 4] }
      self.values = values
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
    width = size.width
    isPremultiplied = alpha.isPremultiplied
  }

  /// Sets the alpha of a part of the picture, RGBA.
  func apply(to bytes: inout [UInt8], columns: Range<Int>, rows: Range<Int>) {
    var pixels = bytes.mutableSpan
    let values = values.span
    var at = 0
    for row in rows {
      for column in columns {
        let alpha = values[row &* width &+ column]
        if isPremultiplied, alpha > 0 {
          for channel in at..<at &+ 3 {
            let whole = (Int(pixels[channel]) &* 255 &+ Int(alpha) / 2) / Int(alpha)
            pixels[channel] = UInt8(min(whole, 255))
          }
        }
        pixels[at &+ 3] = alpha
        at &+= 4
      }
    }
  }
}
