extension Inspection {
  /// By how much a JPEG may be reduced while it is decoded; 1 for other formats.
  ///
  /// The decoded picture keeps at least 1.5 times the pixels, along each side, that the frame's
  /// base needs: measured, that is where a smaller decode stops being visible. It depends on the
  /// source and the base alone, never on the box, so all scales of a style share one decode.
  package func reduction(for frame: Frame) -> Int {
    guard format == .jpeg else { return 1 }
    let shrinkage = frame.placement(of: uprightSize, in: frame.base).shrinkage
    return Self.reductions.first { Double($0) * 1.5 <= shrinkage } ?? 1
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
