extension Inspection {
  /// Walks every marker from SOI to EOI, through the compressed data.
  init(jpeg bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    var frame: JPEGFrame?
    var orientation: Int?
    var scans = 0
    var walk = JPEGWalk(limits)

    while let segment = try walk.next(in: bytes) {
      switch segment.marker {
      case 0xC0, 0xC1, 0xC2:
        guard frame == nil else { throw .corrupt("the JPEG describes its picture twice") }
        frame = try JPEGFrame(segment, in: bytes, limits: limits)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xF7:
        throw .unsupported(variant: "this JPEG is \(Self.variant(ofSOF: segment.marker))")
      case 0xE1
      where orientation == nil && bytes.has("Exif\0".utf8, at: segment.payload.lowerBound):
        orientation = Self.orientation(inEXIF: bytes.extracting(segment.payload))
      case 0xDA:
        scans += 1
        guard scans <= limits.scans else {
          throw Rejection(.tooManyScans, "the JPEG has more than \(limits.scans) scans")
        }
        guard frame != nil else { throw .corrupt("the JPEG's data comes before its description") }
        let data = try walk.compressedData(in: bytes)
        try frame?.readScan(segment, data: data, in: bytes)
      default:
        continue
      }
    }

    guard let frame, scans > 0 else { throw .corrupt("the JPEG holds no picture") }
    guard frame.isComplete else {
      throw Rejection(.truncated, "the JPEG lacks the data of one of its colour channels")
    }
    self.init(format: .jpeg, size: frame.size, orientation: orientation ?? 1)
  }

  private static func variant(ofSOF marker: Int) -> String {
    switch marker {
    case 0xC3: "lossless"
    case 0xC5...0xC7: "hierarchical"
    case 0xF7: "a JPEG-LS"
    default: "arithmetically coded"
    }
  }

  /// Keeps what the decoder reads: tables, frame, scans, JFIF, Adobe's colour transform, profile.
  static func essentialParts(
    ofJPEG bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) -> EssentialParts {
    var parts = EssentialParts()
    var partsWithoutProfile = EssentialParts()
    func keep(_ range: Range<Int>) {
      parts.keep(range)
      partsWithoutProfile.keep(range)
    }
    var profileBytes = 0
    keep(0..<2)
    var walk = JPEGWalk(limits)
    while let segment = try walk.next(in: bytes) {
      let start = segment.payload.lowerBound
      switch segment.marker {
      case 0xE0, 0xEE:
        keep(segment.range)
      case 0xE2 where bytes.has("ICC_PROFILE\0".utf8, at: start):
        profileBytes += segment.range.count
        parts.keep(segment.range)
      case 0xE1...0xEF, 0xFE:
        continue
      case 0xDA:
        let data = try walk.compressedData(in: bytes)
        keep(segment.range.lowerBound..<data.upperBound)
      default:
        keep(segment.range)
      }
    }
    keep(walk.position - 2..<walk.position)
    return profileBytes <= limits.profileBytes ? parts : partsWithoutProfile
  }
}
