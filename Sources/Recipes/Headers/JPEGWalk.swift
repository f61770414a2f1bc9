/// Steps through the segments of a JPEG; the caller steps over the data that follows a scan.
struct JPEGWalk {
  struct Segment {
    let marker: Int
    /// From the marker's 0xFF to the end of the payload.
    let range: Range<Int>
    let payload: Range<Int>
  }

  /// Just behind what was read last; starts after SOI.
  private(set) var position = 2
  private var segments = 0
  private let limits: InspectionLimits

  init(_ limits: InspectionLimits) {
    self.limits = limits
  }

  /// Gives nil at EOI, and throws `truncated` where the file ends before it.
  mutating func next(in bytes: borrowing FileBytes) throws(Rejection) -> Segment? {
    while true {
      let (marker, code) = try Self.marker(in: bytes, from: position)
      switch code {
      case 0xD9:
        position = marker + 2
        return nil
      case 0x01, 0xD0...0xD7:
        position = marker + 2
      case 0x02...0xBF, 0xC8, 0xD8, 0xF0...0xF6, 0xF8...0xFD:
        throw .corrupt("the JPEG has an impossible marker, 0xFF\(String(code, radix: 16))")
      default:
        segments += 1
        guard segments <= limits.chunks else {
          throw Rejection(
            .tooManyChunks, "the JPEG has more than \(limits.chunks.grouped) segments")
        }
        let length = try bytes.big(2, at: marker + 2)
        guard length >= 2 else { throw .corrupt("a JPEG segment has the length \(length)") }
        try bytes.require(length, at: marker + 2)
        position = marker + 2 + length
        return Segment(marker: code, range: marker..<position, payload: marker + 4..<position)
      }
    }
  }

  /// Steps over the compressed data of a scan, restart markers included, and tells where it lies.
  mutating func compressedData(in bytes: borrowing FileBytes) throws(Rejection) -> Range<Int> {
    let start = position
    while true {
      let (marker, code) = try Self.marker(in: bytes, from: position)
      guard (0xD0...0xD7).contains(code) else {
        position = marker
        return start..<marker
      }
      position = marker + 2
    }
  }

  /// Finds the next 0xFF that is followed by a code.
  ///
  /// 0xFF 0x00 is a data byte and repeated 0xFF are padding. Other bytes between segments are
  /// skipped like libjpeg does. Every byte of a photo passes here: 3 GB/s.
  private static func marker(
    in bytes: borrowing FileBytes, from start: Int
  ) throws(Rejection) -> (position: Int, code: Int) {
    var position = start
    let last = bytes.count - 1
    while position < last {
      if bytes[position] == 0xFF, bytes[position + 1] != 0, bytes[position + 1] != 0xFF {
        return (position, Int(bytes[position + 1]))
      }
      position += 1
    }
    throw .truncated(bytes.count)
  }
}
