package import Recipes

/// The coverage of each pixel by an outline, from 0 to 255, row by row.
package struct Mask: Hashable, Sendable {
  package let size: PixelSize
  package let coverage: [UInt8]

  package init(_ layout: CanvasLayout, inset: Double) {
    self.init(layout.placed(inset: inset))
  }

  init(alphaOf raster: Raster) {
    size = raster.size
    coverage = stride(from: 3, to: raster.bytes.count, by: 4).map { raster.bytes[$0] }
  }

  init(_ outline: PlacedOutline) {
    size = outline.canvas
    let columns = Self.overlaps(
      count: size.width, start: outline.x, length: outline.size.width, outline.left, outline.right)
    let rows = Self.overlaps(
      count: size.height, start: outline.y, length: outline.size.height, outline.top, outline.bottom
    )
    let plain = columns.map { Self.byte($0) }
    let corners = Corners(outline)
    var coverage: [UInt8] = []
    coverage.reserveCapacity(size.width * size.height)
    for (y, inner) in rows.enumerated() {
      if inner == 1 {
        coverage += plain
      } else {
        for column in columns { coverage.append(Self.byte(column * inner)) }
      }
      guard inner > 0, let row = corners.row(y) else { continue }
      let start = y * size.width
      let (left, right) = corners.columns(of: row, count: size.width)
      for range in [left, right.clamped(to: left.upperBound..<size.width)] {
        for x in range {
          coverage[start + x] = Self.byte(columns[x] * inner - corners.cut(x, row))
        }
      }
    }
    self.coverage = coverage
  }

  private static func overlaps(
    count: Int, start: Int, length: Int, _ first: Double, _ second: Double
  ) -> [Double] {
    (0..<count).map { index in
      let before = min(max(first - Double(index - start), 0), 1)
      let after = min(max(second - Double(start + length - 1 - index), 0), 1)
      return max(0, 1 - (before + after))
    }
  }

  static func byte(_ area: Double) -> UInt8 {
    UInt8(min(max((area * 255).rounded(), 0), 255))
  }
}

/// The four corners of an outline; identical corners share a table.
private struct Corners {
  /// The distances of a row from the upper and lower corners.
  struct Row {
    let above: Int
    let below: Int
    /// The numbers of columns touched by the left and right corners.
    let left: Int
    let right: Int
  }

  private let topLeft: Corner
  private let topRight: Corner
  private let bottomRight: Corner
  private let bottomLeft: Corner
  private let firstX: Int
  private let lastX: Int
  private let firstY: Int
  private let lastY: Int

  init(_ outline: PlacedOutline) {
    let left = outline.left.rounded(.down)
    let top = outline.top.rounded(.down)
    let right = outline.right.rounded(.down)
    let bottom = outline.bottom.rounded(.down)
    firstX = outline.x + Int(left)
    firstY = outline.y + Int(top)
    lastX = outline.x + outline.size.width - 1 - Int(right)
    lastY = outline.y + outline.size.height - 1 - Int(bottom)
    let leads = (
      left: outline.left - left, top: outline.top - top, right: outline.right - right,
      bottom: outline.bottom - bottom
    )
    let first = Corner(outline.topLeft, leadX: leads.left, leadY: leads.top)
    func corner(_ curve: CornerCurve, _ leadX: Double, _ leadY: Double) -> Corner {
      curve == outline.topLeft && leadX == leads.left && leadY == leads.top
        ? first : Corner(curve, leadX: leadX, leadY: leadY)
    }
    topLeft = first
    topRight = corner(outline.topRight, leads.right, leads.top)
    bottomRight = corner(outline.bottomRight, leads.right, leads.bottom)
    bottomLeft = corner(outline.bottomLeft, leads.left, leads.bottom)
  }

  func row(_ y: Int) -> Row? {
    let above = y - firstY
    let below = lastY - y
    guard above >= 0, below >= 0 else { return nil }
    let row = Row(
      above: above, below: below,
      left: max(
        above < topLeft.height ? topLeft.touched[above] : 0,
        below < bottomLeft.height ? bottomLeft.touched[below] : 0),
      right: max(
        above < topRight.height ? topRight.touched[above] : 0,
        below < bottomRight.height ? bottomRight.touched[below] : 0))
    return row.left > 0 || row.right > 0 ? row : nil
  }

  func columns(of row: Row, count: Int) -> (Range<Int>, Range<Int>) {
    func range(_ first: Int, _ end: Int) -> Range<Int> {
      let start = min(max(first, 0), count)
      return start..<min(max(end, start), count)
    }
    return (
      range(firstX, min(firstX + row.left, lastX + 1)),
      range(max(lastX + 1 - row.right, firstX), lastX + 1)
    )
  }

  func cut(_ x: Int, _ row: Row) -> Double {
    let first = x - firstX
    let last = lastX - x
    // Sum in pairs, so that mirrored pixels get identical results.
    let above = Self.cut(topLeft, first, row.above) + Self.cut(topRight, last, row.above)
    let below = Self.cut(bottomLeft, first, row.below) + Self.cut(bottomRight, last, row.below)
    return above + below
  }

  private static func cut(_ corner: Corner, _ column: Int, _ row: Int) -> Double {
    column < corner.width && row < corner.height ? corner[column, row] : 0
  }
}

extension Raster {
  mutating func clip(to mask: Mask) {
    precondition(mask.size == size, "a mask must be the same size as its picture")
    var pixels = bytes.mutableSpan
    let coverage = mask.coverage.span
    for index in coverage.indices where coverage[index] != 255 {
      let alpha = index &* 4 &+ 3
      pixels[alpha] = UInt8((UInt32(pixels[alpha]) &* UInt32(coverage[index]) &+ 127) / 255)
    }
  }
}

/// A pixel touched by at least one ring.
struct RingedPixel {
  let index: Int
  /// The visible part of the picture, scaled by 255 × 255.
  var shown: Int
  var rings = ColorSum()
  let scale: Int
}

/// A cache of masks and rings for the images in a style.
final class MaskCache {
  /// The size of each cache in bytes; a 1024 × 1024 mask takes 1 MiB.
  private static let limit = 8 << 20
  /// The largest canvas, in pixels, for which rings are cached.
  static let ringedLimit = 1 << 17

  private struct Ringed: Hashable {
    let border: Border
    let layout: CanvasLayout
  }

  private var masks = BoundedCache<PlacedOutline, Mask>(limit: limit)
  private var rings = BoundedCache<Ringed, [RingedPixel]>(limit: limit)

  func mask(_ layout: CanvasLayout, inset: Double = 0) -> Mask {
    mask(layout.placed(inset: inset))
  }

  func mask(_ outline: PlacedOutline) -> Mask {
    if let mask = masks[outline] { return mask }
    let mask = Mask(outline)
    let cost = mask.coverage.count
    if cost <= Self.limit { masks.keep(mask, for: outline, cost: cost) }
    return mask
  }

  func ringed(by border: Border, on layout: CanvasLayout) -> [RingedPixel]? {
    rings[Ringed(border: border, layout: layout)]
  }

  func keep(_ pixels: [RingedPixel], ringedBy border: Border, on layout: CanvasLayout) {
    let cost = pixels.count * MemoryLayout<RingedPixel>.stride
    rings.keep(pixels, for: Ringed(border: border, layout: layout), cost: cost)
  }
}
