import Bytes
import Foundation
import Lettering
import Magick
import Recipes
import Synchronization

/// The start of ImageMagick in a process that may decode pictures.
package enum ImagingRuntime {
  /// Who this process is; the build itself is neither.
  package enum Role: Hashable, Sendable {
    case worker
    case test
  }

  /// Why pictures must not be decoded here.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Says that this process decodes pictures from strangers, or is a test.
  package static func declare(_ role: Role) {
    declared.withLock { $0 = role }
  }

  /// Starts ImageMagick under our policy, proves the policy and loads all coders.
  ///
  /// Only the first call does anything; later ones return or throw what it did. Afterwards
  /// nothing is opened any more, so a worker can lock itself in.
  package static func start() throws(Refusal) {
    // A decoder in the build process would be the one thing that the design forbids.
    precondition(
      declared.withLock { $0 != nil }, "pictures are decoded in workers and tests only")
    try outcome.get()
  }

  private static let declared = Mutex<Role?>(nil)

  private static let outcome = Result { () throws(Refusal) in
    do throws(MagickRefusal) {
      try MagickRuntime.start()
    } catch {
      throw Refusal(reason: error.reason)
    }
    try WarmUp.run()
  }

  /// What else than source and recipe decides the bytes: our revision, the codecs and what
  /// draws letters.
  package static func fingerprint() -> String {
    let libraries =
      MagickRuntime.versions + ["zlib \(Zlib.version)"] + LetteringVersions.all
    return "sitegen \(Recipe.revision); \(libraries.joined(separator: "; "))"
  }
}

/// Loads every coder by using it once: coders are opened at first use, which a locked-in worker
/// could not do, and a missing one must show at the start.
enum WarmUp {
  /// The smallest GIF: 1 × 1, two colours.
  private static let gif = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="

  /// A gray AVIF of 64 × 64.
  private static let avif = """
    AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAA\
    AAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAGAAAACNpaW5mAAAAAAABAAAA\
    FWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAU\
    aXNwZQAAAAAAAABAAAAAQAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAACBtZGF0EgAKBhgV\
    f/2BCDIMGAAKKKKEALcMrvc7
    """

  static func run() throws(ImagingRuntime.Refusal) {
    for format in OutputFormat.allCases {
      do throws(MagickError) {
        try roundTrip(format)
      } catch {
        throw ImagingRuntime.Refusal(
          reason: "ImageMagick cannot write and read \(format.rawValue): \(error.sentence)")
      }
    }
    do throws(MagickError) {
      try read(gif, as: "GIF")
    } catch {
      throw ImagingRuntime.Refusal(reason: "ImageMagick cannot read gif: \(error.sentence)")
    }
    // Not every build knows AVIF and HEIC; without them such a source is refused as any other.
    try? read(avif, as: "AVIF")
  }

  private static func roundTrip(_ format: OutputFormat) throws(MagickError) {
    let size = PixelSize(width: 8, height: 8)
    let raster = Raster(size: size, filledWith: Color(red: 200, green: 100, blue: 50))
    let encoding = Encoding(format: format, quality: format.defaultQuality)
    var canvas = try Canvas(decoding: try encoding.encode(raster).bytes, coder: format.coder)
    _ = try canvas.normalizeColors()
    guard canvas.width == size.width, canvas.height == size.height else {
      throw MagickError(call: "warm-up", message: "8 × 8 pixels did not come back")
    }
  }

  private static func read(_ base64: String, as coder: String) throws(MagickError) {
    let canvas = try Canvas(decoding: Data(base64Encoded: base64) ?? Data(), coder: coder)
    _ = try canvas.rgba()
  }
}
