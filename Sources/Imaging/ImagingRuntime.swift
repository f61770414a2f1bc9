import Bytes
import Heif
import Lettering
import Magick
import Recipes
import Synchronization

/// The start of ImageMagick and libheif in a process that may decode pictures.
package enum ImagingRuntime {
  /// Why pictures must not be decoded here.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Lets this process decode pictures; only a worker or a test calls it.
  package static func allowDecoding() { isAllowed.store(true, ordering: .relaxed) }

  /// Starts ImageMagick under our policy, proves the policy and loads all coders.
  ///
  /// Only the first call does it; later ones return or throw the same. Afterwards neither
  /// ImageMagick nor libheif opens a file.
  package static func start() throws(Refusal) {
    // The build itself must never decode a picture.
    precondition(
      isAllowed.load(ordering: .relaxed), "pictures are decoded in workers and tests only")
    try outcome.get()
  }

  private static let isAllowed = Atomic(false)

  private static let outcome = Result { () throws(Refusal) in
    do throws(MagickRefusal) {
      try MagickRuntime.start()
    } catch {
      throw Refusal(reason: error.reason)
    }
    try WarmUp.run()
  }

  /// What decides the bytes beside source and recipe: our revision, the codecs and the libraries
  /// that draw letters.
  package static func fingerprint() -> String {
    let libraries =
      MagickRuntime.versions + HEIFRuntime.versions + [Deflate.version]
      + LetteringVersions.all
    return "sitegen \(Recipe.revision); \(libraries.joined(separator: "; "))"
  }
}

/// Loads every coder by using it once.
///
/// ImageMagick opens a coder at its first use, which a worker that may open no more files could not
/// do, and a missing coder must show at the start.
enum WarmUp {
  static func run() throws(ImagingRuntime.Refusal) {
    for format in OutputFormat.allCases {
      do throws(MagickError) {
        try roundTrip(format)
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot write and read \(format.rawValue): \(error.sentence)")
      }
    }
    for (format, file) in Inspection.Format.samples {
      // Not every build of libheif has decoders for both; then such a source is refused.
      if format.isHEIF {
        _ = try? HEIFPicture(decoding: file)
        continue
      }
      do throws(MagickError) {
        _ = try Canvas(decoding: file, coder: format.coder).rgba()
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot read \(format.rawValue): \(error.sentence)")
      }
    }
  }

  private static func roundTrip(_ format: OutputFormat) throws(MagickError) {
    let size = PixelSize(width: 8, height: 8)
    let raster = Raster(size: size, filledWith: Color(red: 200, green: 100, blue: 50))
    let encoding = Encoding(format: format, quality: format.defaultQuality)
    var canvas = try Canvas(
      decoding: try encoding.encode(raster, by: WebPWriter()).bytes, coder: format.coder)
    _ = try canvas.normalizeColors()
    guard canvas.width == size.width, canvas.height == size.height else {
      throw MagickError(call: "warm-up", message: "8 × 8 pixels did not come back")
    }
  }
}
