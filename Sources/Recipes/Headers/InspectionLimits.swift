/// Limits for source files, checked before a decoder sees them.
package struct InspectionLimits: Hashable, Sendable {
  /// 32 MiB: the largest known portrait is 8 MB, and a worker holds the file in memory.
  package var bytes = 32 << 20

  /// 50 million: at 8 bytes per pixel, the decoded picture needs 400 MB, which fits in a worker.
  package var pixels = 50_000_000

  /// 200 million for a JPEG with one scan, which is decoded row by row at half size or less.
  package var scaledPixels = 200_000_000

  /// 16,384: more than any camera, and short enough for all decoders.
  package var side = 16_384

  /// 64 JPEG scans; real files have at most 16.
  ///
  /// Each scan walks all coefficients again, so 1,000 empty scans in 15 KB take 16 s.
  package var scans = 64

  /// 4,096 PNG or WebP chunks, JPEG segments or AVIF boxes: enough for 32 MiB in 8 KiB chunks.
  ///
  /// 20,000 short text chunks take a decoder 660 ms.
  package var chunks = 4_096

  /// 1,024 items (tiles, masks, thumbnails) in an AVIF or HEIC: a 48-megapixel photo has 192.
  package var parts = 1_024

  /// 100,000 SVG elements: a detailed map has 20,000.
  package var elements = 100_000

  /// 4 MiB of expanded SVG entities: Illustrator's entities need about 100 KB.
  ///
  /// librsvg needs up to 50 bytes per expanded byte: 250 KB of references can need 5 GB of memory.
  package var entityBytes = 4 << 20

  /// 10,000: frames beyond this are allowed but not counted.
  package var frames = 10_000

  /// 4 MiB for a colour profile, about twice the largest print profile; larger ones are dropped.
  package var profileBytes = 4 << 20

  /// 64 KiB for a PNG's compressed colour profile; larger profiles are dropped.
  ///
  /// A display profile needs 0.5 to 3 KB. Deflate expands up to 1,032-fold, so this is at most 66
  /// MB, of which libpng accepts 8 MB.
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

  /// `owner` and `parts` are words for the message: `the PNG`, `chunks`.
  func checkChunks(_ count: Int, _ owner: String, _ parts: String) throws(Rejection) {
    guard count > chunks else { return }
    throw Rejection(.tooManyChunks, "\(owner) has more than \(chunks.grouped) \(parts)")
  }

  package func allow(_ size: PixelSize, _ format: Inspection.Format) -> Bool {
    (try? checked(width: size.width, height: size.height, isScaled: format == .jpeg)) != nil
  }

  /// Returns the size if it is within the limits; the sides must not be negative.
  func checked(
    width: Int, height: Int, isScaled: Bool = false
  ) throws(Rejection) -> PixelSize {
    let pixels = isScaled ? scaledPixels : pixels
    // Computed lazily, because every picture is checked but few need a message.
    var size: String { "\(width.grouped) × \(height.grouped) pixels" }
    guard width > 0, height > 0 else { throw Rejection(.corrupt, "the picture is \(size)") }
    guard width <= side, height <= side else {
      throw Rejection(.tooManyPixels, "\(size): the limit per side is \(side.grouped)")
    }
    guard width * height <= pixels else {
      throw Rejection(
        .tooManyPixels,
        "\(size) are \((width * height).megapixels) megapixels; the limit is \(pixels.megapixels)")
    }
    return PixelSize(width: width, height: height)
  }
}

extension Int {
  /// Decimal digits in comma-separated groups of three; requires a value ≥ 0.
  package var grouped: String {
    var digits = Array(String(self))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return String(digits)
  }

  /// Rounded up, so that a value just above the limit is not displayed as the limit.
  fileprivate var megapixels: String {
    let tenths = (self + 99_999) / 100_000
    return tenths % 10 == 0 ? (tenths / 10).grouped : "\((tenths / 10).grouped).\(tenths % 10)"
  }
}
