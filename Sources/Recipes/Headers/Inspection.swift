package import Foundation

/// The metadata of a source file, parsed in safe Swift before a decoder reads the file.
///
/// The structure of an inspected file is valid and within the limits. Damaged compressed data is
/// detected only by the decoder in the worker.
package struct Inspection: Codable, Hashable, Sendable {
  package enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg
    case png
    case webp
    case gif
    case avif
    case heic
    /// An SVG, rendered by librsvg; its `size` is the largest size at which it is rendered.
    case svg

    package static let endings: Set = [
      "jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "heif", "svg",
    ]

    package static let list = "JPEG, PNG, WebP, GIF, AVIF, HEIC or SVG"
  }

  package var format: Format
  /// The size that a decoder returns, before the EXIF orientation is applied; for AVIF and HEIC,
  /// crop and rotation properties are already applied.
  package var size: PixelSize
  /// The EXIF orientation from 1 to 8; invalid values in a file are replaced by 1.
  package var orientation: Int
  /// The number of animation frames, counted up to a limit; only the first frame is used.
  package var frames: Int
  /// Whether the file lacks its end marker; only the decoder can detect missing pixels.
  package var isCut: Bool { cut == true }
  /// Nil instead of false, so that inspections in existing cache keys do not change.
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

  package init(inspecting bytes: Data, limits: InspectionLimits = .standard) throws(Rejection) {
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

  /// Returns the file reduced to the parts that affect the pixels of its first picture.
  ///
  /// Decoders then never parse metadata, further frames, trailing data or huge colour profiles.
  /// Otherwise, 97 KB of compressed text could inflate to 100 MB. AVIF, HEIC and SVG files are not
  /// changed. `bytes` must be the inspected file.
  package func sanitized(
    _ bytes: Data, limits: InspectionLimits = .standard
  ) throws(Rejection) -> Data {
    if [.avif, .heic, .svg].contains(format) { return bytes }
    return try Reading(bytes, format, limits).essentialParts(of: bytes)
  }
}

struct Reading {
  let inspection: Inspection
  /// The parts of the file to keep, in order; parts that extend past the end are zero-padded.
  var parts: [Range<Int>]
  /// Replacement bytes that make the remaining parts consistent, keyed by position in the file.
  var changes: [Int: UInt8] = [:]
  var ending: [UInt8] = []

  init(_ file: Data, _ format: Inspection.Format, _ limits: InspectionLimits) throws(Rejection) {
    let bytes = FileBytes(file)
    self =
      switch format {
      case .jpeg: try Reading(jpeg: bytes, limits)
      case .png: try Reading(png: bytes, limits)
      case .webp: try Reading(webP: bytes, limits)
      default: try Reading(gif: bytes, limits)
      }
  }

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
  /// Returns the EXIF orientation of the main picture, or 1 if it is missing or invalid.
  ///
  /// Like browsers, reads the first tag 0x0112 in the first directory; it must be a single SHORT.
  static func orientation(inEXIF block: FileBytes) -> Int {
    (try? statedOrientation(inEXIF: block)) ?? 1
  }

  private static func statedOrientation(inEXIF block: FileBytes) throws(Rejection) -> Int? {
    // The prefix (`Exif` and two bytes) is always present in JPEG, sometimes in WebP, never in PNG.
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
  package static let samples: [(format: Inspection.Format, file: Data)] = [
    (.gif, Data(PackageResources.sample_gif)), (.avif, Data(PackageResources.sample_avif)),
    (.heic, Data(PackageResources.sample_heic)),
  ]
}
