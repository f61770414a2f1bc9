import Foundation
import Heif
import JPEG
import Magick
import Recipes
import SVG

/// A decoded source, possibly reduced, that is not yet upright and may not yet be in sRGB.
final class DecodedImage {
  let pixels: Pixels
  private let conversion: ColorConversion?
  let ignoresProfile: Bool
  /// Warnings that rows are missing, or that text in an SVG is not rendered.
  let flags: PictureTraits.Flags
  let inspection: Inspection
  let reduction: Int

  enum Pixels: ~Copyable {
    case canvas(Canvas)
    case heif(HEIFPicture)
    case raster(Raster)

    var size: PixelSize {
      switch self {
      case .canvas(let canvas): PixelSize(width: canvas.width, height: canvas.height)
      case .heif(let picture): PixelSize(width: picture.width, height: picture.height)
      case .raster(let raster): raster.size
      }
    }

    borrowing func rgba(columns: Range<Int>, rows: Range<Int>) throws(MagickError) -> [UInt8] {
      switch self {
      case .canvas(let canvas): try canvas.rgba(columns: columns, rows: rows)
      case .heif(let picture): picture.rgba(columns: columns, rows: rows)
      case .raster(let raster): raster.rgba(columns: columns, rows: rows)
      }
    }
  }

  init(
    _ pixels: consuming Pixels, _ inspection: Inspection, reduction: Int = 1,
    conversion: ColorConversion? = nil, ignoresProfile: Bool = false,
    flags: PictureTraits.Flags = []
  ) {
    self.pixels = pixels
    self.conversion = conversion
    self.ignoresProfile = ignoresProfile
    self.flags = flags
    self.inspection = inspection
    self.reduction = reduction
  }

  convenience init(raster bytes: Data, size: PixelSize) throws(Rejection) {
    guard size.width > 0, size.height > 0, bytes.count == size.rasterBytes else {
      throw Rejection(
        .decodeFailed, "\(bytes.count) bytes do not match \(size.width) × \(size.height) pixels")
    }
    self.init(
      .raster(Raster(size: size, bytes: [UInt8](bytes))), Inspection(format: .png, size: size))
  }

  /// Converts the pixels to sRGB, crops and scales them, and turns the result upright last,
  /// when the fewest pixels are left.
  func fitted(_ placement: Placement) throws(MagickError) -> Raster {
    let orientation = ExifOrientation(inspection.orientation)
    let scale = 1 / Double(reduction)
    var resampler = Resampler(
      window: orientation.stored(placement.window, of: inspection.uprightSize).scaled(scale, scale),
      of: pixels.size, to: orientation.stored(placement.drawn))
    let rows = resampler.rowRange
    let columns = resampler.columnRange
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Resampler.band) {
      let band = start..<min(start + Resampler.band, rows.upperBound)
      var bytes = try pixels.rgba(columns: columns, rows: band)
      conversion?.apply(to: &bytes)
      resampler.add(bytes.span)
    }
    return orientation.upright(resampler.finish())
  }
}

extension Inspection {
  /// Decodes the file without applying its orientation.
  func decode(_ bytes: Data, reduction: Int) throws(Rejection) -> DecodedImage {
    do {
      return switch format {
      case .avif, .heic: try decodeHEIF(bytes)
      case .svg: try draw(bytes, reduction: reduction)
      case .jpeg, .png, .webp, .gif: try read(bytes, reduction: reduction)
      }
    } catch let rejection as Rejection {
      throw rejection
    } catch let error as MagickError {
      throw Rejection(.decodeFailed, error.sentence)
    } catch let error as HEIFError {
      throw Rejection(.decodeFailed, error.message)
    } catch let error as SVGError {
      throw Rejection(.decodeFailed, error.message)
    } catch {
      throw Rejection(.decodeFailed, "\(error)")
    }
  }

  /// Decodes a file with libjpeg or ImageMagick, and checks the size of the result, because
  /// ImageMagick may return fewer pixels and still report success.
  private func read(_ bytes: Data, reduction: Int) throws -> DecodedImage {
    // Pass only the pixels and the profile, because decoders have had vulnerabilities in code that
    // reads text chunks and trailing bytes.
    var essential = try sanitized(bytes)
    var missing = MissingPixels()
    if isCut { (essential, missing) = try completed(essential, reduction: reduction) }
    if format == .jpeg,
      let pixels = JPEGPixels.rgba(
        essential, width: size.width, height: size.height, reduction: reduction)
    {
      let raster = Raster(size: decodedSize(reduction: reduction), bytes: pixels)
      return DecodedImage(.raster(raster), self, reduction: reduction, flags: missing.flags)
    }
    var canvas = try Canvas(
      decoding: essential, coder: format.coder,
      options: reduction > 1 ? [("jpeg:size", decodingHint(reduction: reduction))] : [])
    if format == .gif || frames > 1 { try canvas.coalesce(width: size.width, height: size.height) }
    try canvas.repage()
    if format == .jpeg, !isCut, let warning = canvas.decoderWarning,
      warning.lowercased().contains("premature end")
    {
      missing = try missingPixels(ofJPEG: essential, reduction: reduction)
    }
    try checkSize(width: canvas.width, height: canvas.height, reduction: reduction)
    return try converted(canvas, reduction: reduction, lacking: missing)
  }

  private func checkSize(width: Int, height: Int, reduction: Int = 1) throws(Rejection) {
    let wanted = decodedSize(reduction: reduction)
    guard PixelSize(width: width, height: height) == wanted else {
      throw Rejection(
        .decodeFailed,
        "decoding produced \(width) × \(height) pixels, but the header says "
          + "\(wanted.width) × \(wanted.height)")
    }
  }

  private func converted(
    _ canvas: consuming Canvas, reduction: Int = 1, lacking missing: MissingPixels = MissingPixels()
  ) throws -> DecodedImage {
    let colors = try canvas.normalizeColors()
    let pixels: DecodedImage.Pixels
    if missing.rows.isEmpty {
      pixels = .canvas(canvas)
    } else {
      let size = PixelSize(width: canvas.width, height: canvas.height)
      var bytes = try canvas.rgba()
      missing.fill(&bytes, rowBytes: size.width * 4)
      pixels = .raster(Raster(size: size, bytes: bytes))
    }
    return DecodedImage(
      pixels, self, reduction: reduction, conversion: colors.conversion,
      ignoresProfile: colors.ignoresProfile, flags: missing.flags)
  }

  private func draw(_ bytes: Data, reduction: Int) throws -> DecodedImage {
    let drawn = decodedSize(reduction: reduction)
    let pixels = try SVGDrawing.rgba(
      Self.sized(svg: bytes), whole: (size.width, size.height), width: drawn.width,
      height: drawn.height)
    return DecodedImage(
      .raster(Raster(size: drawn, bytes: pixels)), self, reduction: reduction,
      flags: Self.hasText(inSVG: bytes) ? .textIgnored : [])
  }

  private func decodeHEIF(_ bytes: Data) throws -> DecodedImage {
    let picture = try HEIFPicture(decoding: bytes)
    try checkSize(width: picture.width, height: picture.height)
    // libheif drops an alpha plane whose size differs from the picture's.
    guard picture.hasAlpha || !HEIFMeta.statesAlpha(bytes) else {
      throw Rejection(.decodeFailed, "the alpha plane's size differs from the picture's")
    }
    let profile = HEIFMeta.profile(of: bytes)
    let stated = profile.flatMap { ICCProfile($0) }
    guard let profile, let stated, stated.model == .sRGB else {
      return DecodedImage(.heif(picture), self, ignoresProfile: profile != nil && stated == nil)
    }
    guard stated.matrix == nil else {
      return DecodedImage(.heif(picture), self, conversion: ColorConversion(from: stated))
    }
    // ImageMagick converts other kinds of profiles, which are rare.
    return try converted(
      try Canvas(
        rgba: picture.rgba(columns: 0..<picture.width, rows: 0..<picture.height).span,
        width: picture.width, height: picture.height, profile: profile))
  }

  func raster(of bytes: Data, in frame: Frame) throws(Rejection) -> Raster {
    let decoded = try decode(bytes, reduction: reduction(for: frame))
    let placement = frame.placement(of: uprightSize, in: frame.box)
    do {
      return try decoded.fitted(placement).placed(in: frame.box, x: placement.x, y: placement.y)
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// Returns the size hint that makes ImageMagick's JPEG coder divide both sides by `reduction`; a
  /// margin of 0.5 avoids rounding errors.
  func decodingHint(reduction: Int) -> String {
    let divisor = Double(reduction) + 0.5
    return "\(Double(size.width) / divisor)x\(Double(size.height) / divisor)"
  }
}

extension Inspection.Format {
  var coder: String { rawValue.uppercased() }
}

extension MagickError {
  var sentence: String {
    let words = message.components(separatedBy: " @ ")[0]
    return words.isEmpty ? "\(call) failed for an unknown reason" : "\(call): \(words)"
  }
}

extension HEIFPicture {
  init(decoding file: Data) throws(HEIFError) {
    let limits = InspectionLimits.standard
    try self.init(
      decoding: file, isGray: HEIFMeta.statesGray(file), side: limits.side, pixels: limits.pixels)
  }
}
