extension Inspection {
  /// By how much a JPEG may be reduced while it is decoded; 1 for other formats.
  ///
  /// The decoded picture keeps at least 1.5 times the pixels, along each side, that the frame's
  /// base needs: measured, that is where a smaller decode stops being visible. It depends on the
  /// source and the base alone, never on the box, so all scales of a style share one decode.
  package func reduction(for frame: Frame) -> Int {
    guard format == .jpeg else { return 1 }
    let placement = frame.placement(of: uprightSize, in: frame.base)
    return Self.reductions.first { reduction in
      let decoded = decodedSize(reduction: reduction).upright(orientation)
      return decoded.width * 2 >= placement.scaled.width * 3
        && decoded.height * 2 >= placement.scaled.height * 3
    } ?? 1
  }

  /// Size of the decoded picture as it lies in the file, before it is turned upright.
  func decodedSize(reduction: Int) -> PixelSize {
    PixelSize(
      width: (size.width + reduction - 1) / reduction,
      height: (size.height + reduction - 1) / reduction)
  }

  /// The scales that libjpeg decodes fast, from small to large.
  static let reductions = [8, 4, 2]
}

extension PixelSize {
  /// The same raster after it has been turned upright.
  func upright(_ orientation: Int) -> PixelSize {
    orientation >= 5 ? PixelSize(width: height, height: width) : self
  }
}
