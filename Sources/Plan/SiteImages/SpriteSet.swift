import Bytes
import Manifest
package import Recipes

/// The sprites of a style: which different pictures its users got, and who has which.
///
/// Two users share a sprite if their pictures are equal at every scale. The order is that of the
/// users, so that a user who is added at the end changes the last sheet only.
package struct SpriteSet {
  /// As an index.
  package let style: Int
  /// Of the style's PNG files, ascending.
  package let scales: [Double]
  package let grid: SpriteGrid
  /// The images of each picture, by scale; empty while a dry run has not rendered it.
  package private(set) var pictures: [[Asset]] = []
  /// The number of each user's picture; −1 for users without one.
  package private(set) var numbers: [Int32]
  private let content: SiteContent
  private let cellSizes: [PixelSize]

  /// Nil for a style without PNG files, and for one whose pictures are larger than a sheet.
  init?(_ content: SiteContent, style: Int, limit: Int = SpriteGrid.limit) {
    let plan = content.variants.plans[style]
    guard let grid = SpriteGrid(plan, limit: limit) else { return nil }
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
      switch content.rendered[slot] {
      case .success(let assets)?: picture = pngs.map { assets[$0] }
      case .failure?: continue
      case nil: picture = []
      }
      let digests = picture.map(\.digest)
      let number: Int32
      if !digests.isEmpty, let known = byDigests[digests] {
        number = known
      } else {
        number = Int32(pictures.count)
        pictures.append(picture)
        if !digests.isEmpty { byDigests[digests] = number }
      }
      bySlot[slot] = number
      numbers[user] = number
    }
  }

  package var sheetCount: Int { (pictures.count + grid.capacity - 1) / grid.capacity }

  /// The numbers of a sheet's pictures.
  func range(of sheet: Int) -> Range<Int> {
    sheet * grid.capacity..<min((sheet + 1) * grid.capacity, pictures.count)
  }

  /// Which sheet a picture is on, and its number there.
  package func position(of picture: Int) -> (sheet: Int, number: Int) {
    (picture / grid.capacity, picture % grid.capacity)
  }

  /// Who has a picture on each sheet, by the number of the picture, then by the order of users.
  package var usersOfSheets: [[Int]] {
    var users: [[Int]] = Array(repeating: [], count: sheetCount)
    for (user, number) in numbers.enumerated() where number >= 0 {
      users[position(of: Int(number)).sheet].append(user)
    }
    return users.map { $0.sorted { (numbers[$0], $0) < (numbers[$1], $1) } }
  }

  /// Of every picture, in pixels; the scale is given by index.
  package func cellSize(at scale: Int) -> PixelSize { cellSizes[scale] }

  /// How a sheet is made at one of the scales, given by index; nil while some of it is not there.
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
    let whole = Collage(size: size, ground: .invisible, cells: cells)
    return SiteImage(
      Source(whole, of: pictures[range].map { $0[scale].digest }), size: size,
      declared: content.manifest.styles[style].declared)
  }
}

extension SiteContent {
  /// The sprites of each style, in their order; none unless the manifest asks for them.
  package var sprites: [SpriteSet] {
    guard manifest.exports.contains(.sprites) else { return [] }
    return exportableStyles.compactMap { SpriteSet(self, style: $0) }
  }
}

extension SpriteGrid {
  /// Nil for a style without PNG files, and for one whose pictures are larger than a sheet.
  package init?(_ plan: StylePlan, limit: Int = SpriteGrid.limit) {
    let pictures = plan.picture.filter { $0.format == .png }
    self.init(pictures.map { ($0.scale, $0.recipe.size) }, limit: limit)
  }
}
