extension Inspection {
  /// Walks the blocks up to the trailer; the logical screen counts, not only the frames.
  init(gif bytes: borrowing Bytes, limits: InspectionLimits) throws(Rejection) {
    let screen = (width: try bytes.little(2, at: 6), height: try bytes.little(2, at: 8))
    var size: PixelSize?
    var frames = 0
    var walk = try GIFWalk(bytes)
    while frames < limits.frames, let block = try walk.next(in: bytes) {
      guard case .picture(let area) = block.kind else { continue }
      frames += 1
      guard size == nil else { continue }
      guard area.width > 0, area.height > 0 else {
        throw .corrupt("the GIF's first frame has \(area.width) × \(area.height) pixels")
      }
      // A screen that is too small grows with the first frame, as in browsers.
      size = try limits.checked(
        width: max(screen.width, area.left + area.width),
        height: max(screen.height, area.top + area.height))
    }
    guard let size else { throw .corrupt("the GIF holds no picture") }
    self.init(format: .gif, size: size, frames: frames)
  }

  /// Keeps the screen, the first picture with its own control block, and a trailer.
  static func essentialParts(ofGIF bytes: borrowing Bytes) throws(Rejection) -> EssentialParts {
    var parts = EssentialParts()
    var walk = try GIFWalk(bytes)
    parts.keep(0..<walk.position)
    var control: Range<Int>?
    while let block = try walk.next(in: bytes) {
      switch block.kind {
      case .control:
        control = block.range
      case .other:
        continue
      case .picture:
        if let control { parts.keep(control) }
        parts.keep(block.range)
        if bytes.has([0x3B], at: walk.position) {
          parts.keep(walk.position..<walk.position + 1)
        } else {
          parts.write([0x3B])
        }
        return parts
      }
    }
    return parts
  }
}
