import Bytes
import Foundation
import Heif
import Lettering
import Magick
import Recipes
import SVG
import Synchronization

/// A namespace for starting the image libraries in processes that may decode pictures.
package enum ImagingRuntime {
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Allows this process to decode pictures, which only workers and tests may do.
  package static func allowDecoding() { isAllowed.store(true, ordering: .relaxed) }

  /// Starts ImageMagick with sitegen's policy, verifies the policy, and loads all coders.
  ///
  /// Later calls succeed or fail like the first. After the first call, neither ImageMagick nor
  /// libheif opens files. If `draws` is true, the SVG libraries are loaded too.
  package static func start(draws: Bool = false) throws(Refusal) {
    precondition(isAllowed.load(ordering: .relaxed), "only workers and tests may decode pictures")
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

  /// Returns the revision and library versions that affect the output; librsvg, if loaded, is last.
  package static func fingerprint(draws: Bool = true) -> String {
    var libraries =
      MagickRuntime.versions + HEIFRuntime.versions + [Deflate.version]
      + LetteringVersions.all
    if draws, let version = try? SVGDrawing.version() { libraries.append(version) }
    return "sitegen \(Recipe.revision); \(libraries.joined(separator: "; "))"
  }
}

/// A warm-up that loads every coder while the process can still open files.
enum WarmUp {
  static func run() throws(ImagingRuntime.Refusal) {
    // Skip AVIF: libheif loads the AVIF encoder with the decoders, and only AVIF output needs it.
    for format in OutputFormat.allCases where format != .avif {
      do throws(MagickError) {
        try roundTrip(format)
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot write and reread \(format.rawValue): \(error.sentence)")
      }
    }
    for (format, file) in Inspection.Format.samples {
      // Some builds of libheif cannot decode AVIF or HEIC; such pictures are rejected later.
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

  /// Draws an SVG with embedded PNG and JPEG pictures, so that librsvg loads their decoders.
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
