package import Foundation

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
  init?(of bytes: borrowing Bytes, limits: InspectionLimits) throws(Rejection) {
    var walk = ISOBoxWalk(0..<bytes.count, limits: limits)
    while let box = try walk.next(in: bytes) {
      guard box.type == "meta" else { continue }
      self = try HEIFMeta(box, in: bytes, limits: limits)
      return
    }
    return nil
  }

  /// Where the picture's ICC profile is; a grid without one has that of its first tile.
  func profile(in bytes: borrowing Bytes) throws(Rejection) -> Range<Int>? {
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
