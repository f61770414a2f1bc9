import Bytes
import Foundation
import Heif
import Lettering
import Magick
import Recipes
import SVG
import Synchronization

/// Starts ImageMagick and libheif in a process that may decode pictures.
package enum ImagingRuntime {
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Lets this process decode pictures; only workers and tests call it.
  package static func allowDecoding() { isAllowed.store(true, ordering: .relaxed) }

  /// Starts ImageMagick with sitegen's policy, verifies the policy and loads all coders.
  ///
  /// Later calls return or throw the same result. Afterwards neither ImageMagick nor libheif opens
  /// a file. If `draws` is true, it also loads the SVG libraries.
  package static func start(draws: Bool = false) throws(Refusal) {
    // The main process must never decode a picture.
    precondition(
      isAllowed.load(ordering: .relaxed), "only workers and tests may decode pictures")
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

  /// Returns the revision and library versions that the output bytes depend on.
  ///
  /// Loaded SVG libraries come last.
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
/// ImageMagick loads a coder on first use, when a sandboxed worker can no longer open files. This
/// also detects missing coders at startup.
enum WarmUp {
  static func run() throws(ImagingRuntime.Refusal) {
    // libheif loads the AVIF encoder with its decoders. Without an encoder, only AVIF output fails.
    for format in OutputFormat.allCases where format != .avif {
      do throws(MagickError) {
        try roundTrip(format)
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot write and read \(format.rawValue): \(error.sentence)")
      }
    }
    for (format, file) in Inspection.Format.samples {
      // Some builds of libheif lack a decoder; such sources are rejected later.
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

  /// Draws an SVG with an embedded picture of each format, so that librsvg loads their decoders.
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
      else { throw Rejection.corrupt("pictures in an SVG are not drawn") }
    } catch {
      throw ImagingRuntime.Refusal(reason: "librsvg cannot draw: \(error)")
    }
  }

  private static func roundTrip(_ format: OutputFormat) throws(MagickError) {
    var canvas = try Canvas(decoding: try sample(format), coder: format.coder)
    _ = try canvas.normalizeColors()
    guard canvas.width == 8, canvas.height == 8 else {
      throw MagickError(call: "warm-up", message: "expected 8 × 8 pixels")
    }
  }

  private static func sample(_ format: OutputFormat) throws(MagickError) -> Data {
    let raster = Raster(
      size: PixelSize(width: 8, height: 8), filledWith: Color(red: 200, green: 100, blue: 50))
    let encoding = Encoding(format: format, quality: format.defaultQuality)
    return try encoding.encode(raster, nil, by: WebPWriter()).bytes
  }
}
