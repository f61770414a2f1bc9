import Manifest

/// Every site image that the manifest asks for.
///
/// Each kind of export adds its own; what it adds must be what it later asks `RenderedSet` for.
package struct SiteImageList: Sendable {
  package private(set) var siteImages: [SiteImage] = []
  /// Images that a dry run cannot describe: what they are made of is not rendered.
  package private(set) var unknown = 0

  package init(_ content: SiteContent) {
    let manifest = content.manifest
    let isForApple = manifest.exports.contains(.xcassets)
    for button in manifest.buttons where isForApple || button.emit.contains(.png) {
      siteImages += button.bitmaps().map(\.siteImage)
    }
    if manifest.exports.contains(.android) {
      siteImages += manifest.buttons.flatMap { $0.ninePatches.map(\.siteImage) }
    }
    siteImages += manifest.strips.flatMap { $0.bitmaps.map(\.siteImage) }
    if let icons = SiteIcons(content) { siteImages += icons.siteImages }
    if let card = TeamCard(content) {
      siteImages += [card.siteImage].compactMap(\.self)
      if card.siteImage == nil { unknown += 1 }
    }
    for set in content.sprites {
      for sheet in 0..<set.sheetCount {
        let sheets = set.scales.indices.map { set.siteImage(sheet: sheet, scale: $0) }
        siteImages += sheets.compactMap(\.self)
        unknown += sheets.count { $0 == nil }
      }
    }
  }
}
