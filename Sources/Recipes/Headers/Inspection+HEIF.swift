extension Inspection {
  /// Walks the boxes of an AVIF or HEIC; all that the primary picture needs must be in the file.
  init(
    heif bytes: borrowing Bytes, format: Format, limits: InspectionLimits
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
