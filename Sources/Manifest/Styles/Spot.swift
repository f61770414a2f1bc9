package import Recipes

/// Where a decoration lies on a box, in pixels from its left and top edge.
package struct Spot: Hashable {
  package let x: Double
  package let y: Double
  package let diameter: Double
  private let box: PixelSize

  package init(
    _ decoration: AvatarStyle.Decoration, outline: Outline, box: PixelSize, scale: Double
  ) {
    // On the diagonal a corner lies this far from both edges, a continuous one too.
    let inset = outline.radius(of: decoration.corner) * (1 - 0.5.squareRoot())
    let across = decoration.distance.map { $0.x * scale } ?? inset
    let down = decoration.distance.map { $0.y * scale } ?? inset
    let isRight = decoration.corner == .topRight || decoration.corner == .bottomRight
    let isBottom = decoration.corner == .bottomRight || decoration.corner == .bottomLeft
    x = isRight ? Double(box.width) - across : across
    y = isBottom ? Double(box.height) - down : down
    diameter = decoration.size * scale
    self.box = box
  }

  /// How far it reaches beyond each edge of the box; below 0 it does not.
  var extents: Extents {
    let half = diameter / 2
    return Extents(
      top: half - y, right: x + half - Double(box.width), bottom: y + half - Double(box.height),
      left: half - x)
  }
}

extension AvatarStyle.Decoration {
  /// Whether there is more of it than a hole, which needs no room.
  var paints: Bool {
    switch content {
    case .dot(let color): color.alpha > 0
    case .badge: true
    }
  }
}
