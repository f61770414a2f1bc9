import Bytes
import Foundation
import Heif
import Lettering
import Magick
import Recipes
import SVG
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
  ///
  /// `draws` also loads what drawing an SVG takes.
  package static func start(draws: Bool = false) throws(Refusal) {
    // The build itself must never decode a picture.
    precondition(
      isAllowed.load(ordering: .relaxed), "pictures are decoded in workers and tests only")
    try outcome.get()
    if draws { try WarmUp.draw() }
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
  ///
  /// What draws SVG is named last, if it is loaded.
  package static func fingerprint(draws: Bool = true) -> String {
    var libraries =
      MagickRuntime.versions + HEIFRuntime.versions + [Deflate.version]
      + LetteringVersions.all
    if draws, let version = try? SVGDrawing.version() { libraries.append(version) }
    return "sitegen \(Recipe.revision); \(libraries.joined(separator: "; "))"
  }
}

/// Loads every coder by using it once.
///
/// ImageMagick opens a coder at its first use, which a worker that may open no more files could not
/// do, and a missing coder must show at the start.
enum WarmUp {
  static func run() throws(ImagingRuntime.Refusal) {
    // What writes AVIF is loaded with libheif's decoders; where it lacks, only such files fail.
    for format in OutputFormat.allCases where format != .avif {
      do throws(MagickError) {
        try roundTrip(format)
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot write and read \(format.rawValue): \(error.sentence)")
      }
    }
    for (format, file) in Inspection.Format.samples {
      // Not every build of libheif has decoders for both; then such a source is refused.
      if [.avif, .heic].contains(format) {
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

  /// Draws a picture that has one of each kind in it, since librsvg loads their decoders then.
  static func draw() throws(ImagingRuntime.Refusal) {
    do {
      let pictures = try [OutputFormat.png, .jpeg].map { format in
        "<image width='8' height='8' href='data:image/\(format.rawValue);base64,"
          + "\(try sample(format).base64EncodedString())'/>"
      }
      let drawing = Data(
        ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>" + pictures.joined()
          + "</svg>").utf8)
      guard
        try Inspection(inspecting: drawing).decode(drawing, reduction: 64).pixels.rgba(
          columns: 32..<33, rows: 32..<33)[3] == 255
      else { throw Rejection.corrupt("the pictures in a drawing are not drawn") }
    } catch {
      throw ImagingRuntime.Refusal(reason: "librsvg cannot draw: \(error)")
    }
  }

  private static func roundTrip(_ format: OutputFormat) throws(MagickError) {
    var canvas = try Canvas(decoding: try sample(format), coder: format.coder)
    _ = try canvas.normalizeColors()
    guard canvas.width == 8, canvas.height == 8 else {
      throw MagickError(call: "warm-up", message: "8 × 8 pixels did not come back")
    }
  }

  private static func sample(_ format: OutputFormat) throws(MagickError) -> Data {
    let raster = Raster(
      size: PixelSize(width: 8, height: 8), filledWith: Color(red: 200, green: 100, blue: 50))
    let encoding = Encoding(format: format, quality: format.defaultQuality)
    return try encoding.encode(raster, by: WebPWriter()).bytes
  }
}
