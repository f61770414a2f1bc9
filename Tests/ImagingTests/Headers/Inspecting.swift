import Recipes
import TestSupport

/// Returns the inspection's rejection, or nil if it accepts the bytes.
func rejection(of bytes: some Sequence<UInt8>, limits: InspectionLimits = .standard) -> Rejection? {
  do throws(Rejection) {
    _ = try Inspection(inspecting: Data(bytes), limits: limits)
    return nil
  } catch {
    return error
  }
}

/// A small complete file in each format, about 1 to 2 KB.
struct WholeFile: Sendable, CustomStringConvertible {
  let description: String
  let bytes: Data
  let inspection: Inspection

  private init(
    _ description: String, _ bytes: Data, _ format: Inspection.Format,
    _ width: Int, _ height: Int, orientation: Int = 1, frames: Int = 1
  ) {
    self.description = description
    self.bytes = bytes
    inspection = Inspection(
      format: format, size: PixelSize(width: width, height: height), orientation: orientation,
      frames: frames)
  }

  private static let paint = TestPicture.gradient(width: 40, height: 20)
  private static let steps: @Sendable (Int, Int, Int) -> TestPicture.Pixel = { frame, x, y in
    [.red, .green, .blue, .clear][(frame + x + y) % 4]
  }

  static let all: [WholeFile] = [
    WholeFile("JPEG", TestPicture.jpeg(width: 40, height: 20, pixel: paint), .jpeg, 40, 20),
    WholeFile(
      "JPEG with EXIF", TestPicture.jpeg(width: 40, height: 20, orientation: 6, pixel: paint),
      .jpeg, 40, 20, orientation: 6),
    WholeFile(
      "progressive JPEG",
      TestPicture.jpeg(width: 40, height: 20, isProgressive: true, pixel: paint), .jpeg, 40, 20),
    WholeFile(
      "CMYK JPEG with restarts",
      TestPicture.jpeg(width: 40, height: 20, colors: .cmyk, restartInterval: 3, pixel: paint),
      .jpeg, 40, 20),
    WholeFile(
      "PNG", TestPicture.png(width: 20, height: 20, dataChunk: 500, pixel: paint), .png, 20, 20),
    WholeFile(
      "PNG with palette",
      TestPicture.png(width: 40, height: 20, kind: .palette, interlaced: true) { steps(0, $0, $1) },
      .png, 40, 20),
    WholeFile(
      "animated PNG", TestPicture.apng(width: 10, height: 10, frames: 3, pixel: steps), .png, 10,
      10, frames: 3),
    WholeFile("WebP", TestPicture.webp(width: 20, height: 20, pixel: paint), .webp, 20, 20),
    WholeFile(
      "WebP with EXIF", TestPicture.webp(width: 20, height: 20, orientation: 8, pixel: paint),
      .webp, 20, 20, orientation: 8),
    WholeFile(
      "animated WebP", TestPicture.webp(width: 10, height: 10, frames: 3, pixel: steps), .webp, 10,
      10, frames: 3),
    WholeFile(
      "lossy WebP", TestPicture.lossyWebPStructure(width: 40, height: 20, dataBytes: 1_000), .webp,
      40, 20),
    WholeFile("GIF", TestPicture.gif(width: 20, height: 20, pixel: steps), .gif, 20, 20),
    WholeFile(
      "animated GIF", TestPicture.gif(width: 20, height: 10, frames: 3, pixel: steps), .gif, 20, 10,
      frames: 3),
    WholeFile(
      "AVIF",
      TestPicture.heifStructure(width: 64, height: 48, quarterTurns: 1, crop: (60, 40)), .avif, 40,
      60),
    WholeFile(
      "HEIC of tiles",
      TestPicture.heifStructure(brand: "heic", width: 128, height: 64, tiles: (2, 1)), .heic, 128,
      64),
  ]
}
