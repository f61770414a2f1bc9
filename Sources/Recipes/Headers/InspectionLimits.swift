/// Limits that are checked before a decoder reads a source file.
package struct InspectionLimits: Hashable, Sendable {
  /// The maximum file size: the largest known portrait is 8 MB, and workers hold files in memory.
  package var bytes = 32 << 20

  /// The maximum number of pixels: at 8 bytes per pixel, 50 million fit in a worker's memory.
  package var pixels = 50_000_000

  /// The maximum number of pixels in a one-scan JPEG, which is decoded row by row at reduced size.
  package var scaledPixels = 200_000_000

  /// The maximum width or height: more than any camera needs, and supported by all decoders.
  package var side = 16_384

  /// The maximum number of JPEG scans; real files have up to 16, and decoding 1,000 takes 16 s.
  package var scans = 64

  /// The maximum number of PNG or WebP chunks, JPEG segments, or AVIF boxes.
  ///
  /// 4,096 chunks of 8 KiB are enough for 32 MiB. Decoding 20,000 short text chunks takes 660 ms.
  package var chunks = 4_096

  /// The maximum number of items in an AVIF or HEIC file; a 48-megapixel photo has 192.
  package var parts = 1_024

  /// The maximum number of SVG elements; a detailed map has 20,000.
  package var elements = 100_000

  /// The maximum size of expanded SVG entities; librsvg needs up to 50 bytes per expanded byte.
  package var entityBytes = 4 << 20

  /// The number of animation frames that are counted; further frames are allowed.
  package var frames = 10_000

  /// The size above which a profile is dropped, about twice that of the largest print profile.
  package var profileBytes = 4 << 20

  /// The size above which a PNG's compressed profile is dropped: 64 KiB can inflate to 66 MB.
  package var compressedProfileBytes = 64 << 10

  package init() {}

  package static let standard = InspectionLimits()
}

extension InspectionLimits {
  func checkBytes(_ count: Int) throws(Rejection) {
    guard count > bytes else { return }
    throw Rejection(
      .tooManyBytes, "the file is \(count.grouped) bytes long; the limit is \(bytes.grouped)")
  }

  /// Checks the number of chunks; the message names `owner` (`the PNG`) and `parts` (`chunks`).
  func checkChunks(_ count: Int, _ owner: String, _ parts: String) throws(Rejection) {
    guard count > chunks else { return }
    throw Rejection(.tooManyChunks, "\(owner) has more than \(chunks.grouped) \(parts)")
  }

  package func allow(_ size: PixelSize, _ format: Inspection.Format) -> Bool {
    (try? checked(width: size.width, height: size.height, isScaled: format == .jpeg)) != nil
  }

  /// Returns the size, or throws if it exceeds the limits; neither side may be negative.
  func checked(width: Int, height: Int, isScaled: Bool = false) throws(Rejection) -> PixelSize {
    let pixels = isScaled ? scaledPixels : pixels
    var size: String { "\(width.grouped) × \(height.grouped) pixels" }
    guard width > 0, height > 0 else { throw Rejection(.corrupt, "the picture is \(size)") }
    guard width <= side, height <= side else {
      throw Rejection(.tooManyPixels, "\(size); the limit per side is \(side.grouped)")
    }
    guard width * height <= pixels else {
      throw Rejection(
        .tooManyPixels,
        "\(size) (\((width * height).megapixels) megapixels); the limit is \(pixels.megapixels)")
    }
    return PixelSize(width: width, height: height)
  }
}

extension Int {
  /// The decimal digits in groups of three, separated by commas; the value must not be negative.
  package var grouped: String {
    var digits = Array(String(self))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return String(digits)
  }

  /// The value in millions, rounded up so that a value above a limit is not shown as the limit.
  fileprivate var megapixels: String {
    let tenths = (self + 99_999) / 100_000
    return tenths % 10 == 0 ? (tenths / 10).grouped : "\((tenths / 10).grouped).\(tenths % 10)"
  }
}
