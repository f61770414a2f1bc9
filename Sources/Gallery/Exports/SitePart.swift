import Manifest
import Plan
import Recipes

/// The files that one export adds to the folder.
struct SitePart: Sendable {
  /// In any order; an image can be in it twice.
  var images: [Site.Image] = []
  /// In the order of publishing.
  var pages: [Site.Page] = []
}

extension SitePart {
  /// The bitmaps of buttons that pages can use.
  init(buttonsOf content: SiteContent) {
    for button in content.manifest.buttons where button.emit.contains(.png) {
      images += button.bitmaps().compactMap { bitmap in
        content.rendered.asset(of: bitmap.siteImage).map { Site.Image($0, .png) }
      }
    }
  }

  /// The card of the team.
  init(cardOf content: SiteContent) {
    if let (_, asset) = content.card { images = [Site.Image(asset, .png)] }
  }
}
