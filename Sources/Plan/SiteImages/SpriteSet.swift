import Bytes
import Manifest
package import Recipes

/// A style's sprites: its distinct pictures, and the users who share each of them.
///
/// Users share a sprite if their pictures are identical at every scale. Sprites are in user order,
/// so appending a user changes only the last sheet.
package struct SpriteSet {
  package let style: Int
  package let scales: [Double]
  package let grid: SpriteGrid
  /// The images of each picture, by scale; empty if a dry run did not render them.
  package private(set) var pictures: [[Asset]] = []
  /// The picture number of each user; −1 for users without a picture.
  package private(set) var numbers: [Int32]
  private let content: SiteContent
  /// The size of a picture in pixels, for each scale.
  package let cellSizes: [PixelSize]

  init?(_ content: SiteContent, style: Int) {
    let plan = content.variants.plans[style]
    guard let grid = SpriteGrid(plan) else { return nil }
    let images = plan.picture
    let pngs = images.indices.filter { images[$0].format == .png }
    scales = pngs.map { images[$0].scale }
    self.style = style
    self.grid = grid
    self.content = content
    cellSizes = pngs.map { images[$0].recipe.size }
    let users = content.manifest.users
    numbers = Array(repeating: -1, count: users.count)
    var bySlot: [SlotID: Int32] = [:]
    var byDigests: [[Digest]: Int32] = [:]
    for user in users.indices where users[user].styles?.contains(style) ?? true {
      guard let slot = content.slot(of: user, style: style) else { continue }
      if let known = bySlot[slot] {
        numbers[user] = known
        continue
      }
      let picture: [Asset]
      switch content[slot] {
      case .success(let assets)?: picture = pngs.map { assets[$0] }
      case .failure?: continue
      case nil: picture = []
      }
      let digests = picture.map(\.digest)
      let number = byDigests[digests] ?? Int32(pictures.count)
      if number == pictures.count {
        pictures.append(picture)
        // Pictures that are not rendered are never treated as identical.
        if !digests.isEmpty { byDigests[digests] = number }
      }
      bySlot[slot] = number
      numbers[user] = number
    }
  }

  package var sheetCount: Int { (pictures.count + grid.capacity - 1) / grid.capacity }

  func range(of sheet: Int) -> Range<Int> {
    sheet * grid.capacity..<min((sheet + 1) * grid.capacity, pictures.count)
  }

  package func position(of picture: Int) -> (sheet: Int, number: Int) {
    (picture / grid.capacity, picture % grid.capacity)
  }

  package var usersOfSheets: [[Int]] {
    var users: [[Int]] = Array(repeating: [], count: sheetCount)
    for (user, number) in numbers.enumerated() where number >= 0 {
      users[position(of: Int(number)).sheet].append(user)
    }
    return users.map { $0.sorted { (numbers[$0], $0) < (numbers[$1], $1) } }
  }

  /// Returns the sheet for a scale index; nil if one of its pictures is not rendered.
  package func siteImage(sheet: Int, scale: Int) -> SiteImage? {
    let range = range(of: sheet)
    guard !pictures[range].contains([]) else { return nil }
    let size = grid.size(of: range.count, amid: pictures.count, at: scales[scale])
    let cell = cellSizes[scale]
    let cells = range.enumerated().map { number, picture in
      let origin = grid.pixels(of: number, at: scales[scale])
      return Collage.Cell(
        frame: PixelFrame(x: origin.x, y: origin.y, width: cell.width, height: cell.height),
        bytes: Int(pictures[picture][scale].bytes))
    }
    return SiteImage(
      Collage(size: size, ground: .invisible, cells: cells),
      of: pictures[range].map { $0[scale].digest },
      declared: content.manifest.styles[style].declared)
  }
}

extension SiteContent {
  package var sprites: [SpriteSet] {
    guard manifest.exports.contains(.sprites) else { return [] }
    return exportableStyles.compactMap { SpriteSet(self, style: $0) }
  }
}

/// The grid of a style's sprite sheets, with the same columns and rows at every scale.
///
/// Lengths are whole points that are also whole pixels at each scale, so positions in points are
/// exact. At scales such as 1.33, this is impractical: positions are rounded instead.
package struct SpriteGrid: Hashable, Sendable {
  /// The maximum number of rows or columns: decoding 64 × 64 small pictures takes half a second.
  package static let mostPerSide = 64
  /// The largest side of a sheet, in pixels.
  package static let limit = 4_096
  /// The largest step to try, in points; multiples of a step are whole pixels at every scale.
  private static let largestStep = 8

  package let columns: Int
  package let rows: Int
  /// The transparent margin before the first picture, in points; at least one pixel at every scale.
  package let gutter: Int
  /// The horizontal distance between the left edges of adjacent pictures, in points.
  package let pitchX: Int
  package let pitchY: Int

  /// Returns nil if a sheet of `limit` pixels per side is too small for even one picture.
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
        // Round the pitch down: the rounded positions of adjacent pictures can be that close.
        let need = side(size) + room
        var pitch = Self.multiple(of: step ?? 1, from: Double(need) / scale)
        while Self.pixels(pitch, at: scale, .down) < need { pitch += step ?? 1 }
        return pitch
      }
      return needs.max() ?? 1
    }
    let pitchX = pitch(\.width)
    let pitchY = pitch(\.height)
    func most(_ pitch: Int) -> Int {
      (1...Self.mostPerSide).last { count in
        scales.allSatisfy { Self.pixels(gutter + count * pitch, at: $0) <= limit }
      } ?? 0
    }
    (columns, rows) = (most(pitchX), most(pitchY))
    (self.gutter, self.pitchX, self.pitchY) = (gutter, pitchX, pitchY)
    if columns == 0 || rows == 0 { return nil }
  }

  package init?(_ plan: StylePlan) {
    self.init(plan.picture.filter { $0.format == .png }.map { ($0.scale, $0.recipe.size) })
  }

  package var capacity: Int { columns * rows }

  /// Returns the position of a picture on its sheet, in points.
  package func origin(of number: Int) -> (x: Int, y: Int) {
    (gutter + number % columns * pitchX, gutter + number / columns * pitchY)
  }

  package func pixels(of number: Int, at scale: Double) -> (x: Int, y: Int) {
    let origin = origin(of: number)
    return (Self.pixels(origin.x, at: scale), Self.pixels(origin.y, at: scale))
  }

  /// Returns a sheet's size in points; all sheets of a style have the same width.
  package func size(of count: Int, amid total: Int) -> (width: Int, height: Int) {
    let rows = (count + columns - 1) / columns
    return (gutter + min(total, columns) * pitchX, gutter + rows * pitchY)
  }

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

  /// Returns whether a value is whole, apart from the rounding error of a decimal fraction.
  private static func isWhole(_ pixels: Double) -> Bool {
    abs(pixels - pixels.rounded()) < 1e-6
  }

  private static func multiple(of step: Int, from points: Double) -> Int {
    let steps = ((points - 1e-6) / Double(step)).rounded(.up)
    return max(1, Int(steps)) * step
  }
}
