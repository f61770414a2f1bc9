package import Foundation

extension HEIFMeta {
  /// What an `auxC` property calls transparency, in AVIF and in HEIC.
  private static let alphaNames = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
  ]

  /// The part that says how transparent the primary one is; nil when that is opaque.
  func alphaPart(in bytes: borrowing Bytes) -> Int? {
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
