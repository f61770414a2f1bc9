package import Foundation

/// What the bytes of a source say about themselves, read by safe Swift before any decoder.
///
/// A value of this type means that the file is within the limits, and has all that its picture needs as
/// far as its structure shows; only the worker's decoder finds broken or missing compressed data.
package struct Inspection: Codable, Hashable, Sendable {
  package enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg
    case png
    case webp
    case gif
    case avif
    case heic
    /// Drawn by librsvg; its size is the largest that it is drawn at.
    case svg

    /// Of the names of their files.
    package static let endings: Set = [
      "jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "heif", "svg",
    ]

    /// All of them, for messages.
    package static let list = "JPEG, PNG, WebP, GIF, AVIF, HEIC or SVG"
  }

  package var format: Format
  /// The size that a decoder delivers; `uprightSize` is the one that a viewer sees.
  ///
  /// An animation has the size of its canvas. AVIF and HEIC state crop and rotation in their own
  /// way and decoders apply it, so it is applied here too.
  package var size: PixelSize
  /// EXIF orientation 1…8; any other number in the file counts as 1.
  package var orientation: Int
  /// How many pictures follow one another, counted up to the limit; only the first is used.
  package var frames: Int
  /// Whether the file ends before the end mark of its format; the decoder finds out whether pixels are
  /// missing, too.
  package var isCut: Bool { cut == true }
  /// Nil instead of false: badges have their inspections in the keys of images, which stay as they were.
  private let cut: Bool?

  package init(
    format: Format, size: PixelSize, orientation: Int = 1, frames: Int = 1, isCut: Bool = false
  ) {
    (self.format, self.size, self.orientation, self.frames) = (format, size, orientation, frames)
    cut = isCut ? true : nil
  }

  package var isAnimated: Bool { frames > 1 }

  package var uprightSize: PixelSize {
    orientation >= 5 ? PixelSize(width: size.height, height: size.width) : size
  }

  /// What a file is, or why it is refused.
  package static func result(of bytes: Data) -> Result<Inspection, Rejection> {
    Result { () throws(Rejection) in try Inspection(inspecting: bytes) }
  }

  /// Walks the structure of a source from its first byte to its end; nothing is decoded.
  package init(
    inspecting bytes: Data, limits: InspectionLimits = .standard
  ) throws(Rejection) {
    guard !bytes.isEmpty else { throw Rejection(.empty, "the file is empty") }
    try limits.checkBytes(bytes.count)
    switch Signature(of: FileBytes(bytes)) {
    case .picture(.avif): try self.init(heif: FileBytes(bytes), format: .avif, limits: limits)
    case .picture(.heic): try self.init(heif: FileBytes(bytes), format: .heic, limits: limits)
    case .picture(.svg): try self.init(svg: bytes, limits: limits)
    case .picture(let format): self = try Reading(bytes, format, limits).inspection
    case .beginning: throw .truncated(bytes.count)
    case .foreign(let name): throw .unsupported("this is \(name)")
    case .unknown: throw .unsupported("this is no picture that we know")
    }
  }

  /// The file with only the parts that decide the pixels of its first picture.
  ///
  /// Text, EXIF and other metadata, further frames and whatever follows the end are left out, so
  /// the decoder never meets them (97 KB of compressed text can inflate to 100 MB). The orientation
  /// goes too: from here on only `orientation` knows it. Colour profiles stay
  /// unless they are too large. Gives the same `Data` when there is nothing to leave out.
  ///
  /// The bytes must be those that were inspected; the limits decide whether a profile stays.
  package func sanitized(
    _ bytes: Data, limits: InspectionLimits = .standard
  ) throws(Rejection) -> Data {
    if [.avif, .heic, .svg].contains(format) { return bytes }
    return try Reading(bytes, format, limits).essentialParts(of: bytes)
  }
}

/// What a walk through a file finds: the inspection, and the parts that a decoder needs.
struct Reading {
  let inspection: Inspection
  /// In order; zeros follow where the last one reaches beyond the file.
  var parts: [Range<Int>]
  /// New values of some bytes, by their position in the file, so that the parts fit together.
  var changes: [Int: UInt8] = [:]
  /// What follows the parts.
  var ending: [UInt8] = []

  init(
    _ file: Data, _ format: Inspection.Format, _ limits: InspectionLimits
  ) throws(Rejection) {
    let bytes = FileBytes(file)
    self =
      switch format {
      case .jpeg: try Reading(jpeg: bytes, limits)
      case .png: try Reading(png: bytes, limits)
      case .webp: try Reading(webP: bytes, limits)
      default: try Reading(gif: bytes, limits)
      }
  }

  /// Shares the storage if nothing is left out or changed.
  func essentialParts(of file: Data) -> Data {
    let isWhole = ending.isEmpty && parts.reduce(0) { $0 + $1.count } == file.count
    if isWhole, changes.allSatisfy({ file[file.startIndex + $0.key] == $0.value }) { return file }
    var result = Data()
    for part in parts {
      let start = result.count - part.lowerBound
      result += file.dropFirst(part.lowerBound).prefix(part.count)
      result += Data(count: max(0, part.upperBound - file.count))
      for (position, byte) in changes where part.contains(position) {
        result[start + position] = byte
      }
    }
    return result + ending
  }
}

extension Inspection {
  /// The orientation that an EXIF block states for its main picture, or 1.
  ///
  /// Like browsers it takes the first tag 0x0112 of the first directory and only as one SHORT of
  /// 1…8. The offsets come from strangers; each read is checked and nothing is followed twice.
  static func orientation(inEXIF block: FileBytes) -> Int {
    (try? statedOrientation(inEXIF: block)) ?? 1
  }

  private static func statedOrientation(inEXIF block: FileBytes) throws(Rejection) -> Int? {
    // JPEG always writes `Exif` and two bytes in front, WebP sometimes, PNG never.
    let start = block.has("Exif\0".utf8) ? 6 : 0
    let isLittle = block.has("II*\0".utf8, at: start)
    guard isLittle || block.has("MM\0*".utf8, at: start) else { return nil }
    func number(_ width: Int, at position: Int) throws(Rejection) -> Int {
      isLittle ? try block.little(width, at: position) : try block.big(width, at: position)
    }

    let directory = start + (try number(4, at: start + 4))
    for index in 0..<(try number(2, at: directory)) {
      let entry = directory + 2 + index * 12
      guard try number(2, at: entry) == 0x0112 else { continue }
      let type = try number(2, at: entry + 2)
      let count = try number(4, at: entry + 4)
      let value = try number(2, at: entry + 8)
      return type == 3 && count == 1 && (1...8).contains(value) ? value : nil
    }
    return nil
  }
}

extension Inspection.Format {
  /// A file of each format that we read but never write, 16 × 16 pixels, to try a decoder with.
  package static let samples: [(format: Inspection.Format, file: Data)] = [
    (.gif, Data(PackageResources.sample_gif)), (.avif, Data(PackageResources.sample_avif)),
    (.heic, Data(PackageResources.sample_heic)),
  ]
}
