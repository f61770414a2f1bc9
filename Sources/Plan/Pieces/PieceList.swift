import Manifest

/// Every piece that the manifest asks for.
///
/// Each kind of export adds its own; what it adds must be what it later asks `PieceSet` for.
package struct PieceList: Sendable {
  package private(set) var pieces: [Piece] = []
  /// Pieces that a dry run cannot describe: what they are made of is not rendered.
  package private(set) var unknown = 0

  package init(_ content: SiteContent) {
    let manifest = content.manifest
    let isForApple = manifest.exports.contains(.xcassets)
    for button in manifest.buttons where isForApple || button.emit.contains(.png) {
      pieces += button.bitmaps().map(\.piece)
    }
    if manifest.exports.contains(.android) {
      pieces += manifest.buttons.flatMap { $0.ninePatches.map(\.piece) }
    }
    pieces += manifest.strips.flatMap { $0.bitmaps.map(\.piece) }
    if let icons = SiteIcons(content) { pieces += icons.pieces }
    if let card = TeamCard(content) {
      pieces += [card.piece].compactMap(\.self)
      if card.piece == nil { unknown += 1 }
    }
    for set in content.sprites {
      for sheet in 0..<set.sheetCount {
        let sheets = set.scales.indices.map { set.piece(sheet: sheet, scale: $0) }
        pieces += sheets.compactMap(\.self)
        unknown += sheets.count { $0 == nil }
      }
    }
  }
}
