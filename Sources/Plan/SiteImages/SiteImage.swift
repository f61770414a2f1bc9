import Bytes
package import Diagnostics
package import Manifest
package import Recipes

/// An image that belongs to the site itself, such as a button bitmap, an icon or a sprite sheet.
package struct SiteImage: Sendable {
  package var source: Source
  package var recipe: Recipe
  /// The position in the manifest, such as `buttons[3]`.
  package var declared: Located

  init(_ source: Source, _ recipe: Recipe, declared: Located) {
    self.source = source
    self.recipe = recipe
    self.declared = declared
  }

  init(_ collage: Collage, of images: [Digest], declared: Located) {
    self.init(Source(collage, of: images), size: collage.size, declared: declared)
  }

  init(_ source: Source, size: PixelSize, declared: Located) {
    let recipe = Recipe(
      frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
      encoding: Encoding(format: .png))
    self.init(source, recipe, declared: declared)
  }
}

extension SiteImage: Hashable {
  package static func == (left: SiteImage, right: SiteImage) -> Bool {
    left.source.digest == right.source.digest && left.recipe == right.recipe
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source.digest)
    hasher.combine(recipe.frame)
    hasher.combine(recipe.encoding)
  }
}

package struct SiteImageList: Sendable {
  package private(set) var siteImages: [SiteImage] = []
  /// The number of images that a dry run cannot plan, because their parts are not rendered.
  package private(set) var unknown = 0

  package init(_ content: SiteContent) {
    let manifest = content.manifest
    let isForApple = manifest.exports.contains(.xcassets)
    for button in manifest.buttons where isForApple || button.emit.contains(.png) {
      siteImages += button.bitmaps().map(\.siteImage)
    }
    if manifest.exports.contains(.android) {
      siteImages += manifest.buttons.flatMap { $0.ninePatches.map(\.bitmap.siteImage) }
    }
    siteImages += manifest.strips.flatMap { $0.bitmaps.map(\.siteImage) }
    if let icons = SiteIcons(content) { siteImages += icons.siteImages }
    if let card = TeamCard(content) {
      siteImages += [card.siteImage].compactMap(\.self)
      if card.siteImage == nil { unknown += 1 }
    }
    for form in Poster(content)?.forms ?? [] {
      siteImages += [form.siteImage].compactMap(\.self)
      if form.siteImage == nil { unknown += 1 }
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

extension ShadowStrip {
  package var bitmaps: [(scale: Int, siteImage: SiteImage)] {
    guard let source = try? Source(.strip(shadow)) else {
      preconditionFailure("only NaN and infinity cannot be encoded")
    }
    return [1, 2, 3].map { scale in
      let size = PixelSize(width: 1, height: shadow.height * scale)
      return (scale, SiteImage(source, size: size, declared: declared))
    }
  }
}
