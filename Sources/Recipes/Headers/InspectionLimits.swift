/// What a source may cost at most, decided before a decoder sees it.
package struct InspectionLimits: Hashable, Sendable {
  /// 32 MiB: the largest real portrait seen has 8 MB, and a worker holds the bytes in memory.
  package var bytes = 32 << 20

  /// 50 million: at 8 bytes a pixel the decoded picture takes 400 MB, which a worker can hold.
  package var pixels = 50_000_000

  /// 200 million for a JPEG of one scan: it is decoded at half its size or less, row by row.
  package var scaledPixels = 200_000_000

  /// 16,384: above every camera, and it keeps rows short enough for all decoders.
  package var side = 16_384

  /// 64 scans of a JPEG: real ones have at most 16.
  ///
  /// Each one walks all coefficients again, so that 1,000 empty scans in 15 KB cost 16 s.
  package var scans = 64

  /// 4,096 chunks of a PNG or WebP, segments of a JPEG, boxes of an AVIF: 32 MiB in libpng's usual
  /// pieces of 8 KiB.
  ///
  /// 20,000 text chunks of a few bytes each cost a decoder 660 ms.
  package var chunks = 4_096

  /// 1,024 parts (tiles, masks, thumbnails) of an AVIF or HEIC: a phone's 48 megapixels have 192.
  package var parts = 1_024

  /// 100,000 elements of a drawing: a detailed map has 20,000.
  package var elements = 100_000

  /// 4 MiB that entities of a drawing may expand to: Illustrator's names and styles take some 100 KB.
  ///
  /// librsvg takes up to 50 bytes for each, and 250 KB of references can be 5 GB of text.
  package var entityBytes = 4 << 20

  /// 10,000: counting the frames of an animation stops there; more are allowed.
  package var frames = 10_000

  /// 4 MiB of colour profile: the largest for print have about 2; larger ones are left out, and in a
  /// PNG those that claim to be larger.
  package var profileBytes = 4 << 20

  /// 64 KiB of compressed colour profile in a PNG; larger ones are left out.
  ///
  /// A screen's profile has 0.5 to 3 KB. Deflate expands up to 1,032 times, so this is 66 MB at
  /// worst, of which libpng takes at most 8 MB.
  package var compressedProfileBytes = 64 << 10

  package init() {}

  package static let standard = InspectionLimits()
}

extension InspectionLimits {
  func checkBytes(_ count: Int) throws(Rejection) {
    guard count > bytes else { return }
    throw Rejection(
      .tooManyBytes, "the file has \(count.grouped) bytes; the limit is \(bytes.grouped)")
  }

  /// The names are for the message: `the PNG`, `chunks`.
  func checkChunks(_ count: Int, _ owner: String, _ parts: String) throws(Rejection) {
    guard count > chunks else { return }
    throw Rejection(.tooManyChunks, "\(owner) has more than \(chunks.grouped) \(parts)")
  }

  package func allow(_ size: PixelSize, _ format: Inspection.Format) -> Bool {
    (try? checked(width: size.width, height: size.height, isScaled: format == .jpeg)) != nil
  }

  /// The size if it is within the limits; both sides come from the file and are not negative.
  func checked(
    width: Int, height: Int, isScaled: Bool = false
  ) throws(Rejection) -> PixelSize {
    let pixels = isScaled ? scaledPixels : pixels
    // Made for a message only: each known picture is checked, too.
    var size: String { "\(width.grouped) × \(height.grouped) pixels" }
    guard width > 0, height > 0 else { throw Rejection(.corrupt, "the picture has \(size)") }
    guard width <= side, height <= side else {
      throw Rejection(.tooManyPixels, "\(size): the limit for a side is \(side.grouped)")
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
  /// With a comma between groups of three digits; never negative here.
  package var grouped: String {
    var digits = Array(String(self))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return String(digits)
  }

  /// Rounded up to a tenth, so that a figure just above the limit never looks like the limit.
  fileprivate var megapixels: String {
    let tenths = (self + 99_999) / 100_000
    return tenths % 10 == 0 ? (tenths / 10).grouped : "\((tenths / 10).grouped).\(tenths % 10)"
  }
}
