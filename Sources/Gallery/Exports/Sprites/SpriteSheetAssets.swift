import Manifest
import Plan
import Recipes

/// The files of a style's sheets.
struct SpriteSheetAssets {
  /// By sheet, then by scale; nil for what could not be made.
  private let assets: [[Asset?]]
  private let scales: [Double]

  init(_ set: SpriteSet, _ content: SiteContent) {
    scales = set.scales
    assets = (0..<set.sheetCount).map { sheet in
      set.scales.indices.map { scale in
        set.siteImage(sheet: sheet, scale: scale).flatMap { content.rendered.asset(of: $0) }
      }
    }
  }

  /// Whether a sheet could be made at every scale; if not, none of it is used.
  func isThere(_ sheet: Int) -> Bool { assets[sheet].allSatisfy { $0 != nil } }

  /// The files of a sheet, by scale.
  func scaled(_ sheet: Int) -> [(scale: Double, asset: Asset)] {
    zip(scales, assets[sheet]).compactMap { scale, asset in asset.map { (scale, $0) } }
  }

  /// Of all sheets that are there.
  var all: [Asset] { assets.indices.filter(isThere).flatMap { assets[$0].compactMap(\.self) } }
}

extension SiteContent {
  /// The styles of which everybody's picture is on a sheet, if sheets were asked for.
  var stylesOnSheets: Set<Int> {
    guard manifest.exports.contains(.sprites) else { return [] }
    let whole = sprites.filter { set in
      let sheets = SpriteSheetAssets(set, self)
      return (0..<set.sheetCount).allSatisfy(sheets.isThere)
    }
    return Set(whole.map(\.style))
  }
}

extension SitePart {
  /// Sheets of all avatars of each style, and what says where each lies.
  init(spritesOf content: SiteContent) {
    guard content.manifest.exports.contains(.sprites) else { return }
    let sets = content.sprites.map { (set: $0, sheets: SpriteSheetAssets($0, content)) }
    images = sets.flatMap { $0.sheets.all.map { Site.Image($0, .png) } }
    let css = SpritesCSS(sets, content)
    let json = SpritesJSON(sets, content)
    pages = [
      Site.Page(path: SpritesCSS.fileName) { try css.write($0) },
      Site.Page(path: "sprites.json") { try json.write($0) },
    ]
  }
}
