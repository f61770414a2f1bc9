package import Recipes

extension Outline {
  /// Radii are clamped to half of the shorter side, where a continuous corner is a circle too.
  package init(_ shape: AvatarStyle.Shape, box: PixelSize, scale: Double) {
    switch shape {
    case .circle: self = .circle(in: box)
    case .square: self = .square
    case .rounded(let length, let corners):
      self.init(length, corners, curve: .circular, box: box, scale: scale)
    case .continuous(let length, let corners):
      self.init(length, corners, curve: .continuous, box: box, scale: scale)
    }
  }

  private init(
    _ length: AvatarStyle.Length, _ corners: Set<AvatarStyle.Corner>, curve: Curve,
    box: PixelSize, scale: Double
  ) {
    let half = Double(box.shorterSide) / 2
    let asked =
      switch length {
      case .points(let points): points * scale
      case .fraction(let fraction): fraction * Double(box.shorterSide)
      }
    let radius = min(asked, half)
    self.init(
      topLeft: corners.contains(.topLeft) ? radius : 0,
      topRight: corners.contains(.topRight) ? radius : 0,
      bottomRight: corners.contains(.bottomRight) ? radius : 0,
      bottomLeft: corners.contains(.bottomLeft) ? radius : 0,
      curve: radius > 0 && radius < half ? curve : .circular)
  }

  func radius(of corner: AvatarStyle.Corner) -> Double {
    switch corner {
    case .topLeft: topLeft
    case .topRight: topRight
    case .bottomRight: bottomRight
    case .bottomLeft: bottomLeft
    }
  }
}
