import Bytes
import Foundation

extension Reading {
  /// Parses all markers from SOI to EOI; accepts a file that is truncated in or after a scan.
  ///
  /// Keeps what a decoder reads, including JFIF, Adobe's colour transform and the profile.
  init(jpeg bytes: FileBytes, _ limits: InspectionLimits) throws(Rejection) {
    var frame: JPEGFrame?
    var orientation: Int?
    var scans = 0
    parts = [0..<2]
    var profile: [Range<Int>] = []
    var walk = JPEGWalk(bytes, limits)
    var isCut = false
    func next() throws(Rejection) -> JPEGWalk.Segment? {
      do {
        return try walk.next()
      } catch {
        guard error.reason == .truncated, scans > 0 else { throw error }
        isCut = true
        return nil
      }
    }
    while let segment = try next() {
      var range = segment.range
      switch segment.marker {
      case 0xC0, 0xC1, 0xC2:
        guard frame == nil else { throw .corrupt("the JPEG has two frame headers") }
        frame = try JPEGFrame(
          bytes[segment.payload], isProgressive: segment.marker == 0xC2, limits: limits)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xF7:
        throw .unsupported(variant: "this JPEG is lossless, hierarchical or arithmetically coded")
      case 0xE0, 0xEE:
        break
      case 0xE1...0xEF, 0xFE:
        let start = segment.payload.lowerBound
        if segment.marker == 0xE1, orientation == nil, bytes.has("Exif\0".utf8, at: start) {
          orientation = Inspection.orientation(inEXIF: bytes[segment.payload])
        }
        guard segment.marker == 0xE2, bytes.has("ICC_PROFILE\0".utf8, at: start) else { continue }
        profile.append(range)
      case 0xDA:
        scans += 1
        guard scans <= limits.scans else {
          throw Rejection(.tooManyScans, "the JPEG has more than \(limits.scans) scans")
        }
        guard frame != nil else { throw .corrupt("the JPEG data comes before the frame header") }
        let data = walk.compressedData()
        try frame?.readScan(bytes[segment.payload], dataBytes: data.count)
        range = range.lowerBound..<data.upperBound
      default:
        break
      }
      parts.append(range)
    }
    if isCut { ending = [0xFF, 0xD9] } else { parts.append(walk.position - 2..<walk.position) }
    if profile.reduce(0, { $0 + $1.count }) > limits.profileBytes {
      parts.removeAll(where: Set(profile).contains)
    }

    guard let frame, scans > 0 else { throw .corrupt("the JPEG does not contain a picture") }
    // libjpeg keeps an entire multi-scan file in memory, so the stricter limit applies.
    if scans > 1 {
      _ = try limits.checked(width: frame.size.width, height: frame.size.height)
    }
    guard frame.isComplete else {
      throw Rejection(.truncated, "the JPEG lacks data for one of its colour channels")
    }
    inspection = Inspection(
      format: .jpeg, size: frame.size, orientation: orientation ?? 1, isCut: isCut)
  }
}

private struct JPEGFrame {
  private struct Channel {
    let id: Int
    let horizontal: Int
    let vertical: Int
    var hasData = false
  }

  let size: PixelSize
  private let isProgressive: Bool
  private var channels: [Channel] = []

  init(_ header: FileBytes, isProgressive: Bool, limits: InspectionLimits) throws(Rejection) {
    guard header.count > 5, header.count == 6 + 3 * Int(header[5]) else {
      throw .corrupt("the JPEG frame header has the wrong length")
    }
    let (precision, count) = (header[0], Int(header[5]))
    // Reject a height of 0: the real one is in a DNL marker, which hardly any software supports.
    size = try limits.checked(
      width: try header.big(2, at: 3), height: try header.big(2, at: 1), isScaled: !isProgressive)
    self.isProgressive = isProgressive
    guard precision == 8 else {
      throw .unsupported(variant: "this JPEG has \(precision) bits per channel")
    }
    guard [1, 3, 4].contains(count) else {
      throw .unsupported(variant: "this JPEG has \(count) colour channels")
    }
    for index in 0..<count {
      let id = try header.byte(at: 6 + 3 * index)
      let factors = try header.byte(at: 7 + 3 * index)
      let channel = Channel(id: id, horizontal: factors >> 4, vertical: factors & 15)
      guard (1...4).contains(channel.horizontal), (1...4).contains(channel.vertical) else {
        throw .corrupt("the JPEG has an invalid sampling factor")
      }
      channels.append(channel)
    }
  }

  var isComplete: Bool { channels.allSatisfy(\.hasData) }

  /// Records a scan; throws if its data is too short for its blocks.
  ///
  /// A Huffman code has at least 1 bit. A block needs two codes in a sequential scan, and one in
  /// the first progressive scan. Therefore, missing data is detected without decoding.
  mutating func readScan(_ header: FileBytes, dataBytes: Int) throws(Rejection) {
    guard header.count > 0, (1...4).contains(header[0]), header.count == 4 + 2 * Int(header[0])
    else { throw .corrupt("a JPEG scan has the wrong length") }
    let count = Int(header[0])
    let isFirst = !isProgressive || header[1 + 2 * count] == 0

    var scanned: [Channel] = []
    for index in 0..<count {
      let id = try header.byte(at: 1 + 2 * index)
      let matches = channels.indices.filter { channels[$0].id == id }
      guard let first = matches.first else {
        throw .corrupt("a JPEG scan refers to a colour channel that does not exist")
      }
      scanned.append(channels[first])
      if isFirst { for match in matches { channels[match].hasData = true } }
    }
    guard isFirst else { return }
    let needed = (blocks(of: scanned) * (isProgressive ? 1 : 2) + 7) / 8
    guard dataBytes >= needed else {
      throw Rejection(
        .truncated,
        "the JPEG data is truncated (\(dataBytes.grouped) of at least \(needed.grouped) bytes)")
    }
  }

  private func blocks(of scanned: [Channel]) -> Int {
    func parts(_ length: Int, _ unit: Int) -> Int { (length + unit - 1) / unit }
    let horizontal = channels.map(\.horizontal).max() ?? 1
    let vertical = channels.map(\.vertical).max() ?? 1
    if scanned.count == 1 {
      let width = parts(size.width * scanned[0].horizontal, horizontal)
      let height = parts(size.height * scanned[0].vertical, vertical)
      return parts(width, 8) * parts(height, 8)
    }
    let units = parts(size.width, 8 * horizontal) * parts(size.height, 8 * vertical)
    return units * scanned.reduce(0) { $0 + $1.horizontal * $1.vertical }
  }
}

/// An iterator over JPEG segments; after a scan header, the caller must call `compressedData`.
private struct JPEGWalk {
  struct Segment {
    let marker: Int
    let range: Range<Int>
    let payload: Range<Int>
  }

  private(set) var position = 2
  private var segments = 0
  private let bytes: FileBytes
  private let limits: InspectionLimits

  init(_ bytes: FileBytes, _ limits: InspectionLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Returns the next segment, or nil at EOI; throws `truncated` if the file ends earlier.
  mutating func next() throws(Rejection) -> Segment? {
    while true {
      let (marker, code) = try nextMarker()
      switch code {
      case 0xD9:
        position = marker + 2
        return nil
      case 0x01, 0xD0...0xD7:
        position = marker + 2
      case 0x02...0xBF, 0xC8, 0xD8, 0xF0...0xF6, 0xF8...0xFD:
        throw .corrupt("the JPEG has an invalid marker, 0xFF\(String(code, radix: 16))")
      default:
        segments += 1
        try limits.checkChunks(segments, "the JPEG", "segments")
        let length = try bytes.big(2, at: marker + 2)
        guard length >= 2 else { throw .corrupt("a JPEG segment has the invalid length \(length)") }
        try bytes.require(length, at: marker + 2)
        position = marker + 2 + length
        return Segment(marker: code, range: marker..<position, payload: marker + 4..<position)
      }
    }
  }

  /// Skips a scan's compressed data, including restart markers, and returns its range.
  mutating func compressedData() -> Range<Int> {
    let start = position
    while let (marker, code) = try? nextMarker() {
      guard (0xD0...0xD7).contains(code) else {
        position = marker
        return start..<marker
      }
      position = marker + 2
    }
    position = bytes.count
    return start..<position
  }

  /// Finds the next 0xFF that is followed by a marker code.
  ///
  /// 0xFF 0x00 is an escaped data byte, and repeated 0xFF bytes are padding. Other bytes between
  /// segments are skipped, as in libjpeg.
  private func nextMarker() throws(Rejection) -> (position: Int, code: Int) {
    let span = bytes.data.span
    var position = position
    while let found = span.firstIndex(of: 0xFF, from: position), found + 1 < span.count {
      let code = span[found + 1]
      if code != 0, code != 0xFF { return (found, Int(code)) }
      position = found + 1
    }
    throw .truncated(bytes.count)
  }
}
