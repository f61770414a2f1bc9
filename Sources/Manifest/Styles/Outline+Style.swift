package import Recipes

extension Outline {
  /// Creates an outline; corners with the maximum radius (half of the shorter side) are circular.
  package init(_ style: AvatarStyle, box: PixelSize, scale: Double) {
    if style.shape == .circle {
      self = .circle(in: box)
      return
    }
    let half = Double(box.shorterSide) / 2
    let asked =
      switch style.radius {
      case .points(let points): points * scale
      case .fraction(let fraction): fraction * Double(box.shorterSide)
      }
    let radius = style.shape == .square ? 0 : min(asked, half)
    self.init(
      topLeft: style.corners.contains(.topLeft) ? radius : 0,
      topRight: style.corners.contains(.topRight) ? radius : 0,
      bottomRight: style.corners.contains(.bottomRight) ? radius : 0,
      bottomLeft: style.corners.contains(.bottomLeft) ? radius : 0,
      curve: style.shape == .continuous && radius > 0 && radius < half ? .continuous : .circular)
  }

  fileprivate func radius(of corner: AvatarStyle.Corner) -> Double {
    switch corner {
    case .topLeft: topLeft
    case .topRight: topRight
    case .bottomRight: bottomRight
    case .bottomLeft: bottomLeft
    }
  }
}

extension Decoration {
  package init(
    _ style: AvatarStyle.Decoration, _ content: Content, outline: Outline, box: PixelSize,
    scale: Double
  ) {
    // The inset of a circular corner on the diagonal; continuous corners use it too.
    let inset = outline.radius(of: style.corner) * (1 - 0.5.squareRoot())
    let across = style.distance.map { $0.x * scale } ?? inset
    let down = style.distance.map { $0.y * scale } ?? inset
    let isRight = style.corner == .topRight || style.corner == .bottomRight
    let isBottom = style.corner == .bottomRight || style.corner == .bottomLeft
    self.init(
      content: content, x: isRight ? Double(box.width) - across : across,
      y: isBottom ? Double(box.height) - down : down, diameter: style.size * scale,
      gap: style.gap * scale)
  }

  /// Returns the extent beyond the left, top, right and bottom edges; negative inside the box.
  func extents(beyond box: PixelSize) -> SIMD4<Double> {
    diameter / 2 + SIMD4(-x, -y, x - Double(box.width), y - Double(box.height))
  }
}
