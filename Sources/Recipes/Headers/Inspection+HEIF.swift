package import Foundation

extension Inspection {
  /// Walks the boxes of an AVIF or HEIC; all that the primary picture needs must be in the file.
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
    guard let meta else {
      guard hasSequence else { throw .truncated(bytes.count) }
      throw .unsupported(variant: "this file holds a sequence without a still picture")
    }
    guard hasData || meta.hasOwnData else { throw .truncated(bytes.count) }
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
}

extension HEIFMeta {
  /// What an `auxC` property calls transparency, in AVIF and in HEIC.
  private static let alphaNames = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
  ]

  /// The part that says how transparent the primary one is; nil when that is opaque.
  func alphaPart(in bytes: borrowing FileBytes) -> Int? {
    for (part, master) in auxiliaries where master == primary {
      for property in properties(of: part) where property.type == "auxC" {
        let start = property.payload.lowerBound + 4
        if Self.alphaNames.contains(where: { bytes.has($0.utf8, at: start) }) { return part }
      }
    }
    return nil
  }

  var isPremultiplied: Bool { primary.map(premultiplied.contains) ?? false }

  /// The same file with its alpha as the picture, a gray one; nil when it has none.
  ///
  /// ImageMagick 6 leaves out the alpha of AVIF and HEIC. Each part is a whole picture, and one
  /// number says which of them a decoder delivers.
  package static func alphaFile(
    of file: Data, limits: InspectionLimits = .standard
  ) throws(Rejection) -> (file: Data, isPremultiplied: Bool)? {
    let bytes = file.span
    guard let meta = try HEIFMeta(of: bytes, limits: limits), let place = meta.primaryPlace,
      let part = meta.alphaPart(in: bytes)
    else { return nil }
    guard part >> (place.count * 8) == 0 else {
      throw .corrupt("the number of its alpha is too large to be that of a picture")
    }
    var parts = EssentialParts()
    parts.keep(0..<place.lowerBound)
    parts.write(
      (0..<place.count).reversed().map { UInt8(truncatingIfNeeded: part >> ($0 * 8)) })
    parts.keep(place.upperBound..<file.count)
    return (parts.cut(from: file), meta.isPremultiplied)
  }
}
