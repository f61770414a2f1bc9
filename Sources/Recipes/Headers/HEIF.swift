package import Foundation

extension Inspection {
  /// Walks the boxes of an AVIF or HEIC; the file must hold all that the primary picture needs.
  init(
    heif bytes: borrowing FileBytes, format: Format, limits: InspectionLimits
  ) throws(Rejection) {
    let meta = try HEIFMeta(of: bytes, limits: limits)
    var hasData = false
    var hasSequence = false
    var walk = ISOBoxWalk(0..<bytes.count, limits: limits)
    while let box = try walk.next(in: bytes) {
      switch box.type {
      case "mdat": hasData = true
      case "moov": hasSequence = true
      default: continue
      }
    }
    if hasSequence, meta?.primary == nil {
      throw .unsupported(variant: "this file holds a sequence without a still picture")
    }
    guard let meta else { throw .truncated(bytes.count) }
    guard hasData || meta.ownData != nil else { throw .truncated(bytes.count) }
    self.init(format: format, size: try meta.size(in: bytes))
  }
}

extension HEIFMeta {
  /// The colour profile of an AVIF or HEIC file's picture; nil when it has none.
  package static func profile(
    of file: Data, limits: InspectionLimits = .standard
  ) -> [UInt8]? {
    let bytes = file.span
    guard let meta = try? HEIFMeta(of: bytes, limits: limits),
      let range = try? meta.profile(in: bytes)
    else { return nil }
    return [UInt8](file[file.startIndex + range.lowerBound..<file.startIndex + range.upperBound])
  }

  /// The first `meta` box of a file; nil when it has none.
  init?(of bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    var walk = ISOBoxWalk(0..<bytes.count, limits: limits)
    while let box = try walk.next(in: bytes) {
      guard box.type == "meta" else { continue }
      self = try HEIFMeta(box, in: bytes, limits: limits)
      return
    }
    return nil
  }

  /// Where the picture's ICC profile is; a grid without one has that of its first tile.
  func profile(in bytes: borrowing FileBytes) throws(Rejection) -> Range<Int>? {
    guard let primary else { return nil }
    for part in [primary] + (ingredients[primary] ?? []).prefix(1) {
      for property in properties(of: part) where property.type == "colr" {
        let data = property.payload.dropFirst(4)
        guard data.count <= limits.profileBytes, property.payload.count > 4,
          ["prof", "rICC"].contains(try bytes.code(at: property.payload.lowerBound))
        else { continue }
        return data
      }
    }
    return nil
  }

  /// Whether the picture of an AVIF or HEIC file is said to have no colours; a grid never is, since
  /// libheif 1.15 makes RGB of one.
  package static func statesGray(_ file: Data, limits: InspectionLimits = .standard) -> Bool {
    let bytes = file.span
    guard let meta = try? HEIFMeta(of: bytes, limits: limits), let primary = meta.primary
    else { return false }
    return meta.properties(of: primary).contains { property in
      let start = property.payload.lowerBound
      return switch property.type {
      case "av1C": (try? bytes.byte(at: start + 2) & 0x10) == 0x10
      case "hvcC": (try? bytes.byte(at: start + 16) & 3) == 0
      default: false
      }
    }
  }

  /// What an `auxC` property calls transparency, in AVIF and in HEIC.
  private static let alphaNames = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
  ]

  /// Whether the picture of an AVIF or HEIC file is said to have alpha.
  package static func statesAlpha(_ file: Data, limits: InspectionLimits = .standard) -> Bool {
    let bytes = file.span
    guard let meta = try? HEIFMeta(of: bytes, limits: limits) else { return false }
    for (part, master) in meta.auxiliaries where master == meta.primary {
      for property in meta.properties(of: part) where property.type == "auxC" {
        let start = property.payload.lowerBound + 4
        if alphaNames.contains(where: { bytes.has($0.utf8, at: start) }) { return true }
      }
    }
    return false
  }
}

/// One box of an ISO media file: a type and the bytes that it holds.
struct ISOBox {
  let type: FourCC
  /// Without the box's own header.
  let payload: Range<Int>

  /// Reads the box that begins at `start` and must end at or before `end`.
  init(at start: Int, in bytes: borrowing FileBytes, end: Int) throws(Rejection) {
    var length = try bytes.big(4, at: start)
    type = try bytes.code(at: start + 4)
    var headerLength = 8
    if length == 1 {
      // No file has lengths beyond 7 bytes, and those 7 cannot overflow.
      guard try bytes.byte(at: start + 8) == 0 else { throw .truncated(bytes.count) }
      length = try bytes.big(7, at: start + 9)
      headerLength = 16
    } else if length == 0 {
      length = end - start
    }
    guard length >= headerLength else {
      throw .corrupt("the \(type.text) box states a length of \(length) bytes")
    }
    guard length <= end - start else {
      guard end == bytes.count else {
        throw .corrupt("the \(type.text) box is longer than the box around it")
      }
      throw .truncated(bytes.count, ofAtLeast: start + length)
    }
    payload = start + headerLength..<start + length
  }
}

/// Steps through the boxes that fill a range.
struct ISOBoxWalk {
  private var position: Int
  private let end: Int
  private var boxes = 0
  private let limits: InspectionLimits

  init(_ range: Range<Int>, limits: InspectionLimits) {
    position = range.lowerBound
    end = range.upperBound
    self.limits = limits
  }

  mutating func next(in bytes: borrowing FileBytes) throws(Rejection) -> ISOBox? {
    guard position < end else { return nil }
    boxes += 1
    try limits.checkChunks(boxes, "the file", "boxes")
    let box = try ISOBox(at: position, in: bytes, end: end)
    position = box.payload.upperBound
    return box
  }
}

/// Reads the numbers of a box one after the other, and never leaves the box.
struct ISOFields {
  private(set) var position: Int
  let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// An unsigned number of 0 to 8 bytes; one above 2^56 lies in no file.
  mutating func next(_ width: Int, in bytes: borrowing FileBytes) throws(Rejection) -> Int {
    guard width <= end - position else { throw .corrupt("a box of the file is too short") }
    defer { position += width }
    if width == 0 { return 0 }
    if width < 8 { return try bytes.big(width, at: position) }
    guard try bytes.byte(at: position) == 0 else { throw .truncated(bytes.count) }
    return try bytes.big(7, at: position + 1)
  }

  /// Version and flags, which open most boxes.
  mutating func versionAndFlags(
    in bytes: borrowing FileBytes
  ) throws(Rejection) -> (version: Int, flags: Int) {
    (try next(1, in: bytes), try next(3, in: bytes))
  }
}
