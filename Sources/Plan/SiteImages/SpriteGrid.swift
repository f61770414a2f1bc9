package import Recipes

/// How the pictures of a style lie on its sheets: in the same columns and rows at every scale.
///
/// Lengths are whole points, chosen so that they are whole pixels at each of the style's scales;
/// then a position in points is exact whichever sheet a browser takes. Scales such as 1.33 have no
/// such points: there positions are rounded to pixels, and the gutter is wider to make up for it.
package struct SpriteGrid: Hashable, Sendable {
  /// Columns and rows of a sheet: decoding 4,096 small pictures takes a worker half a second.
  package static let mostPerSide = 64
  /// The most pixels a side of a sheet.
  package static let limit = 4_096
  /// Points of which the lengths are multiples are searched up to here.
  private static let largestStep = 8

  /// Of a full sheet.
  package let columns: Int
  package let rows: Int
  /// Points of transparency before the first picture; at least a pixel at every scale.
  package let gutter: Int
  /// Points from one picture to the next.
  package let pitchX: Int
  package let pitchY: Int

  /// Nil when not even one picture fits into a sheet whose sides have `limit` pixels.
  package init?(_ pictures: [(scale: Double, size: PixelSize)], limit: Int = SpriteGrid.limit) {
    let scales = pictures.map(\.scale)
    guard let smallest = scales.min() else { return nil }
    let step = (1...Self.largestStep).first { step in
      scales.allSatisfy { Self.isWhole($0 * Double(step)) }
    }
    let room = step == nil ? 2 : 1
    let gutter = Self.multiple(of: step ?? 1, from: Double(room) / smallest)
    func pitch(_ side: (PixelSize) -> Int) -> Int {
      let needs = pictures.map { scale, size in
        // Rounded down: two rounded positions may be this near to one another.
        let need = side(size) + room
        var pitch = Self.multiple(of: step ?? 1, from: Double(need) / scale)
        while Self.pixels(pitch, at: scale, .down) < need { pitch += step ?? 1 }
        return pitch
      }
      return needs.max() ?? 1
    }
    let pitchX = pitch(\.width)
    let pitchY = pitch(\.height)
    func count(_ pitch: Int) -> Int {
      var count = 0
      while count < Self.mostPerSide,
        scales.allSatisfy({
          Self.pixels(gutter + (count + 1) * pitch, at: $0, .toNearestOrAwayFromZero) <= limit
        })
      {
        count += 1
      }
      return count
    }
    columns = count(pitchX)
    rows = count(pitchY)
    self.gutter = gutter
    self.pitchX = pitchX
    self.pitchY = pitchY
    if columns == 0 || rows == 0 { return nil }
  }

  /// How many pictures a full sheet has.
  package var capacity: Int { columns * rows }

  /// Where a picture of a sheet lies, in points.
  package func origin(of number: Int) -> (x: Int, y: Int) {
    (gutter + number % columns * pitchX, gutter + number / columns * pitchY)
  }

  /// Where a picture of a sheet lies, in pixels.
  package func pixels(of number: Int, at scale: Double) -> (x: Int, y: Int) {
    let origin = origin(of: number)
    return (Self.pixels(origin.x, at: scale), Self.pixels(origin.y, at: scale))
  }

  /// Of a sheet, in points; `total` are the pictures of the style, whose sheets are equally wide.
  package func size(of count: Int, amid total: Int) -> (width: Int, height: Int) {
    let rows = (count + columns - 1) / columns
    return (gutter + min(total, columns) * pitchX, gutter + rows * pitchY)
  }

  /// Of a sheet, in pixels.
  package func size(of count: Int, amid total: Int, at scale: Double) -> PixelSize {
    let size = size(of: count, amid: total)
    return PixelSize(
      width: Self.pixels(size.width, at: scale), height: Self.pixels(size.height, at: scale))
  }

  private static func pixels(
    _ points: Int, at scale: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Int {
    let pixels = Double(points) * scale
    return Int((isWhole(pixels) ? pixels.rounded() : pixels).rounded(rule))
  }

  /// Whether only the rounding of a decimal fraction is in the way.
  private static func isWhole(_ pixels: Double) -> Bool {
    abs(pixels - pixels.rounded()) < 1e-6
  }

  /// The first multiple of `step` that is not below `points`, and not 0.
  private static func multiple(of step: Int, from points: Double) -> Int {
    let steps = ((points - 1e-6) / Double(step)).rounded(.up)
    return max(1, Int(steps)) * step
  }
}
