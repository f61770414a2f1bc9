/// How much of each pixel lies inside an outline: 0…255, row by row.
package struct Mask: Hashable, Sendable {
  package let size: PixelSize
  package let coverage: [UInt8]

  /// The outline of a box, drawn in by `inset` pixels on every side.
  ///
  /// Radii are clamped to half of the shorter side, and each shrinks by the inset: that is what
  /// keeps a ring equally wide around a corner.
  package init(_ outline: Outline, size: PixelSize, inset: Double = 0) {
    let limit = Double(size.shorterSide) / 2
    func corner(_ radius: Double) -> Corner {
      Corner(radius: max(0, min(radius, limit) - inset), inset: inset)
    }
    self.size = size
    let topLeft = corner(outline.topLeft)
    let uniform =
      outline.topRight == outline.topLeft && outline.bottomRight == outline.topLeft
      && outline.bottomLeft == outline.topLeft
    let topRight = uniform ? topLeft : corner(outline.topRight)
    let bottomLeft = uniform ? topLeft : corner(outline.bottomLeft)
    let bottomRight = uniform ? topLeft : corner(outline.bottomRight)

    let columns = Self.overlaps(count: size.width, inset: inset)
    let rows = Self.overlaps(count: size.height, inset: inset)
    let plainRow = columns.map { Self.byte($0) }
    var coverage: [UInt8] = []
    coverage.reserveCapacity(size.width * size.height)
    for row in 0..<size.height {
      let below = size.height - 1 - row
      let inner = rows[row]
      coverage += inner == 1 ? plainRow : columns.map { Self.byte($0 * inner) }
      let reach = max(
        max(row < topLeft.side ? topLeft.side : 0, below < bottomLeft.side ? bottomLeft.side : 0),
        max(
          row < topRight.side ? topRight.side : 0, below < bottomRight.side ? bottomRight.side : 0))
      guard reach > 0 else { continue }
      let start = row * size.width
      for column in 0..<size.width {
        let beyond = size.width - 1 - column
        guard column < reach || beyond < reach else { continue }
        // In pairs: the sum is the same from whichever side the mask is read.
        let above = Self.cut(topLeft, column, row) + Self.cut(topRight, beyond, row)
        let under = Self.cut(bottomLeft, column, below) + Self.cut(bottomRight, beyond, below)
        coverage[start + column] = Self.byte(columns[column] * inner - (above + under))
      }
    }
    self.coverage = coverage
  }

  private static func cut(_ corner: Corner, _ column: Int, _ row: Int) -> Double {
    column < corner.side && row < corner.side ? corner[column, row] : 0
  }

  /// How much of each pixel along one side lies within the inset.
  private static func overlaps(count: Int, inset: Double) -> [Double] {
    (0..<count).map { index in
      let before = min(max(inset - Double(index), 0), 1)
      let after = min(max(inset - Double(count - 1 - index), 0), 1)
      return max(0, 1 - (before + after))
    }
  }

  private static func byte(_ area: Double) -> UInt8 {
    UInt8(min(max((area * 255).rounded(), 0), 255))
  }
}
