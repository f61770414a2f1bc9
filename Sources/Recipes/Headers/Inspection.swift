package import Foundation

/// Metadata of a source file, parsed in safe Swift before a decoder reads the file.
///
/// The file is within the limits and structurally complete. Only the worker's decoder finds
/// damaged or missing compressed data.
package struct Inspection: Codable, Hashable, Sendable {
  package enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg
    case png
    case webp
    case gif
    case avif
    case heic
    /// Rendered by librsvg; its size is the largest rendering size.
    case svg

    /// The file name extensions of supported pictures.
    package static let endings: Set = [
      "jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "heif", "svg",
    ]

    package static let list = "JPEG, PNG, WebP, GIF, AVIF, HEIC or SVG"
  }

  package var format: Format
  /// The size that a decoder returns; `uprightSize` also applies the EXIF orientation.
  ///
  /// For an animation, it is the canvas size. AVIF and HEIC have crop and rotation properties that
  /// decoders apply, so the size includes them.
  package var size: PixelSize
  /// The EXIF orientation, 1…8; other values in the file are treated as 1.
  package var orientation: Int
  /// The number of animation frames, counted up to the limit; only the first frame is used.
  package var frames: Int
  /// Whether the file lacks its format's end marker; only the decoder can detect missing pixels.
  package var isCut: Bool { cut == true }
  /// Nil instead of false keeps cache keys stable: they contain the inspections of badges.
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

  package static func result(of bytes: Data) -> Result<Inspection, Rejection> {
    Result { () throws(Rejection) in try Inspection(inspecting: bytes) }
  }

  /// Walks the structure of a source from start to end without decoding it.
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
    case .unknown: throw .unsupported("the format is unknown")
    }
  }

  /// Reduces the file to the parts that affect the pixels of its first picture.
  ///
  /// It drops metadata, further frames and trailing data, so that decoders never parse them. For
  /// example, 97 KB of compressed text can inflate to 100 MB. The EXIF orientation is then only in
  /// `orientation`. Profiles stay unless they are too large. `bytes` must be the inspected bytes.
  package func sanitized(
    _ bytes: Data, limits: InspectionLimits = .standard
  ) throws(Rejection) -> Data {
    if [.avif, .heic, .svg].contains(format) { return bytes }
    return try Reading(bytes, format, limits).essentialParts(of: bytes)
  }
}

/// The result of parsing a file: the inspection, and the parts that a decoder needs.
struct Reading {
  let inspection: Inspection
  /// In file order; a part that extends past the end of the file is padded with zeros.
  var parts: [Range<Int>]
  /// Bytes to patch, by position in the file, to keep the remaining parts consistent.
  var changes: [Int: UInt8] = [:]
  /// Bytes to append after the parts.
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

  /// Shares the storage if nothing is dropped or changed.
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
  /// Returns the EXIF orientation of the main picture, or 1.
  ///
  /// Like browsers, it uses the first tag 0x0112 in the first directory, if it is a single SHORT
  /// from 1 to 8. Offsets are untrusted: each read is checked, and only one directory is followed.
  static func orientation(inEXIF block: FileBytes) -> Int {
    (try? statedOrientation(inEXIF: block)) ?? 1
  }

  private static func statedOrientation(inEXIF block: FileBytes) throws(Rejection) -> Int? {
    // JPEG always has the prefix `Exif` and two bytes, WebP sometimes, PNG never.
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
  /// A 16 × 16 file in each read-only format, to test decoders.
  package static let samples: [(format: Inspection.Format, file: Data)] = [
    (.gif, Data(PackageResources.sample_gif)), (.avif, Data(PackageResources.sample_avif)),
    (.heic, Data(PackageResources.sample_heic)),
  ]
}
