import Foundation

extension Reading {
  /// Parses a WebP; pads the end with zeros if a few bytes are missing.
  ///
  /// Keeps the canvas, the profile and the first picture; without VP8X, keeps the whole file.
  init(webP file: FileBytes, _ limits: InspectionLimits) throws(Rejection) {
    let missing = max(0, try file.little(4, at: 4) + 8 - file.count)
    let isCut = (1...min(12, max(1, file.count / 100))).contains(missing)
    let bytes = isCut ? FileBytes(file.data + Data(count: missing)) : file
    var walk = try WebPWalk(bytes)
    guard let first = try walk.next() else { throw .corrupt("the WebP does not contain a picture") }
    guard first.type == "VP8X" else {
      let size = try walk.codedSize(first)
      inspection = Inspection(
        format: .webp, size: try limits.checked(width: size.width, height: size.height),
        isCut: isCut)
      parts = [0..<walk.end]
      return
    }

    guard first.payload.count >= 10 else { throw .corrupt("the WebP header is too short") }
    let start = first.payload.lowerBound
    let oldFlags = try bytes.byte(at: start)
    // Clear the flags of dropped chunks: 4 is XMP, and 8 is EXIF.
    var flags = oldFlags & ~12
    let isAnimated = flags & 2 != 0
    let canvas = try limits.checked(
      width: try bytes.little(3, at: start + 4) + 1, height: try bytes.little(3, at: start + 7) + 1)
    parts = [0..<first.range.upperBound]
    var orientation: Int?
    var frames = 0
    var others = 0
    while frames < limits.frames, let chunk = try walk.next() {
      var isKept = frames == 0
      switch chunk.type {
      case "ANMF" where isAnimated:
        if frames == 0 { try walk.checkFrame(chunk, canvas: canvas) }
        frames += 1
      case "VP8 " where !isAnimated && frames == 0, "VP8L" where !isAnimated && frames == 0:
        guard try walk.codedSize(chunk) == canvas else {
          throw .corrupt("the WebP specifies two different sizes")
        }
        frames = 1
      case "EXIF" where orientation == nil:
        orientation = Inspection.orientation(inEXIF: bytes[chunk.payload])
        isKept = false
      default:
        others += 1
        try limits.checkChunks(others, "the WebP", "chunks")
        if chunk.type == "ICCP", isKept, chunk.payload.count > limits.profileBytes {
          flags &= ~32
          isKept = false
        }
        isKept = isKept && ["ICCP", "ANIM", "ALPH"].contains(chunk.type)
      }
      if isKept { parts.append(chunk.range) }
    }
    guard frames > 0 else { throw .corrupt("the WebP does not contain a picture") }
    inspection = Inspection(
      format: .webp, size: canvas, orientation: orientation ?? 1, frames: frames, isCut: isCut)
    let length = parts.reduce(-8) { $0 + $1.count }
    for (index, shift) in [0, 8, 16, 24].enumerated() {
      changes[4 + index] = UInt8(truncatingIfNeeded: length >> shift)
    }
    changes[start] = UInt8(flags)
  }
}

/// An iterator over the chunks of a WebP file or of one of its frames.
private struct WebPWalk {
  private let bytes: FileBytes
  private var position: Int
  /// The end of the RIFF data; trailing bytes are not part of the picture.
  let end: Int

  init(_ bytes: FileBytes) throws(Rejection) {
    let length = try bytes.little(4, at: 4)
    guard length >= 12 else { throw .corrupt("the WebP has an invalid length of \(length) bytes") }
    guard bytes.count - 8 >= length else { throw .truncated(bytes.count, of: length + 8) }
    self.init(bytes, 12..<length + 8)
  }

  private init(_ bytes: FileBytes, _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  mutating func next() throws(Rejection) -> Chunk? {
    guard end - position >= 8 else { return nil }
    let type = try bytes.code(at: position)
    let length = try bytes.little(4, at: position + 4)
    let start = position + 8
    guard length <= end - start else {
      throw .corrupt("the WebP \(type.text) chunk is longer than the file")
    }
    // Some writers omit the padding of the last chunk.
    let next = min(start + length + length % 2, end)
    defer { position = next }
    return Chunk(type: type, range: position..<next, payload: start..<start + length)
  }

  func codedSize(_ chunk: Chunk) throws(Rejection) -> PixelSize {
    let data = bytes[chunk.payload]
    switch chunk.type {
    case "VP8 ":
      let tag = try data.little(3, at: 0)
      guard tag & 1 == 0, data.has([0x9D, 0x01, 0x2A], at: 3) else {
        throw .corrupt("the WebP picture does not begin with a key frame")
      }
      // The tag also contains the length of the first partition.
      try data.require(10 + tag >> 5, at: 0)
      let width = try data.little(2, at: 6) & 0x3FFF
      let height = try data.little(2, at: 8) & 0x3FFF
      return PixelSize(width: width, height: height)
    case "VP8L":
      let bits = try data.little(4, at: 1)
      guard data.has([0x2F]), bits >> 29 == 0, data.count > 5 else {
        throw .corrupt("the lossless WebP picture has an unknown version")
      }
      return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    default:
      throw .corrupt("the WebP begins with an unknown chunk (\(chunk.type.text))")
    }
  }

  func checkFrame(_ chunk: Chunk, canvas: PixelSize) throws(Rejection) {
    let start = chunk.payload.lowerBound
    guard chunk.payload.count >= 16 else { throw .corrupt("a WebP frame is too short") }
    let left = try bytes.little(3, at: start) * 2
    let top = try bytes.little(3, at: start + 3) * 2
    let size = PixelSize(
      width: try bytes.little(3, at: start + 6) + 1, height: try bytes.little(3, at: start + 9) + 1)
    guard left + size.width <= canvas.width, top + size.height <= canvas.height else {
      throw .corrupt("a WebP frame is outside the canvas")
    }
    var walk = WebPWalk(bytes, start + 16..<chunk.payload.upperBound)
    while let part = try walk.next() {
      guard part.type == "VP8 " || part.type == "VP8L" else { continue }
      guard try codedSize(part) == size else {
        throw .corrupt("a WebP frame specifies two different sizes")
      }
      return
    }
    throw .corrupt("a WebP frame does not contain a picture")
  }
}
