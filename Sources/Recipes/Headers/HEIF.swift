package import Foundation

extension Inspection {
  /// Inspects an AVIF or HEIC file, which must contain all data of its primary item.
  init(heif bytes: FileBytes, format: Format, limits: InspectionLimits) throws(Rejection) {
    let meta = try HEIFMeta(of: bytes, limits: limits)
    var hasData = false
    var hasSequence = false
    var walk = ISOBoxWalk(bytes, 0..<bytes.count, limits)
    while let box = try walk.next() {
      hasData = hasData || box.type == "mdat"
      hasSequence = hasSequence || box.type == "moov"
    }
    if hasSequence, meta?.primary == nil {
      throw .unsupported(variant: "this file contains only a picture sequence")
    }
    guard let meta, hasData || meta.ownData != nil else { throw .truncated(bytes.count) }
    self.init(format: format, size: try meta.size())
  }
}

extension HEIFMeta {
  init?(of bytes: FileBytes, limits: InspectionLimits) throws(Rejection) {
    var walk = ISOBoxWalk(bytes, 0..<bytes.count, limits)
    while let box = try walk.next() {
      guard box.type == "meta" else { continue }
      self = try HEIFMeta(box, in: bytes, limits: limits)
      return
    }
    return nil
  }

  private init?(_ file: Data, _ limits: InspectionLimits) {
    guard let meta = try? HEIFMeta(of: FileBytes(file), limits: limits) else { return nil }
    self = meta
  }

  /// Returns the file's ICC profile; for a grid without a profile, that of its first tile.
  package static func profile(of file: Data, limits: InspectionLimits = .standard) -> [UInt8]? {
    guard let meta = HEIFMeta(file, limits), let primary = meta.primary else { return nil }
    for part in [primary] + (meta.ingredients[primary] ?? []).prefix(1) {
      for property in meta.properties(of: part) where property.type == "colr" {
        let data = meta.bytes[property.payload]
        guard data.count > 4, data.count - 4 <= limits.profileBytes,
          data.has("prof".utf8) || data.has("rICC".utf8)
        else { continue }
        return [UInt8](data.data.dropFirst(4))
      }
    }
    return nil
  }

  /// Returns whether the picture is declared monochrome; false for grids, which are decoded to RGB.
  package static func statesGray(_ file: Data, limits: InspectionLimits = .standard) -> Bool {
    guard let meta = HEIFMeta(file, limits), let primary = meta.primary else { return false }
    return meta.properties(of: primary).contains { property in
      let start = property.payload.lowerBound
      return switch property.type {
      case "av1C": (try? meta.bytes.byte(at: start + 2) & 0x10) == 0x10
      case "hvcC": (try? meta.bytes.byte(at: start + 16) & 3) == 0
      default: false
      }
    }
  }

  /// The `auxC` types of alpha planes in AVIF and HEIC.
  private static let alphaNames = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
  ]

  package static func statesAlpha(_ file: Data, limits: InspectionLimits = .standard) -> Bool {
    guard let meta = HEIFMeta(file, limits) else { return false }
    for (part, master) in meta.auxiliaries where master == meta.primary {
      for property in meta.properties(of: part) where property.type == "auxC" {
        let start = property.payload.lowerBound + 4
        if alphaNames.contains(where: { meta.bytes.has($0.utf8, at: start) }) { return true }
      }
    }
    return false
  }
}

/// An iterator over the boxes in a range of the file.
struct ISOBoxWalk {
  private let bytes: FileBytes
  private var position: Int
  private let end: Int
  private var boxes = 0
  private let limits: InspectionLimits

  init(_ bytes: FileBytes, _ range: Range<Int>, _ limits: InspectionLimits) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    self.limits = limits
  }

  mutating func next() throws(Rejection) -> Chunk? {
    guard position < end else { return nil }
    boxes += 1
    try limits.checkChunks(boxes, "the file", "boxes")
    let start = position
    var length = try bytes.big(4, at: start)
    let type = try bytes.code(at: start + 4)
    var headerLength = 8
    if length == 1 {
      // Real lengths fit in 7 bytes, which cannot overflow an Int.
      guard try bytes.byte(at: start + 8) == 0 else { throw .truncated(bytes.count) }
      length = try bytes.big(7, at: start + 9)
      headerLength = 16
    } else if length == 0 {
      length = end - start
    }
    guard length >= headerLength else {
      throw .corrupt("the \(type.text) box has an invalid length of \(length) bytes")
    }
    guard length <= end - start else {
      guard end == bytes.count else {
        throw .corrupt("the \(type.text) box is longer than its parent box")
      }
      throw .truncated(bytes.count, ofAtLeast: start + length)
    }
    position = start + length
    return Chunk(type: type, range: start..<position, payload: start + headerLength..<position)
  }
}

struct ISOFields {
  private let bytes: FileBytes
  private(set) var position: Int
  let end: Int

  init(_ bytes: FileBytes, _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Reads an unsigned integer of 0 to 8 bytes; throws if the value is 2^56 or more.
  mutating func next(_ width: Int) throws(Rejection) -> Int {
    guard width <= end - position else { throw .corrupt("a box in the file is too short") }
    defer { position += width }
    if width == 0 { return 0 }
    if width < 8 { return try bytes.big(width, at: position) }
    guard try bytes.byte(at: position) == 0 else { throw .truncated(bytes.count) }
    return try bytes.big(7, at: position + 1)
  }

  mutating func versionAndFlags() throws(Rejection) -> (version: Int, flags: Int) {
    (try next(1), try next(3))
  }
}
