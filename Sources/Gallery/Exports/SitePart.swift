import Bytes
import Manifest
import Plan
import Recipes

/// The files that one export adds to the folder.
struct SitePart: Sendable {
  /// In any order; an image can be in it twice.
  var images: [Site.File] = []
  /// In the order of publishing.
  var pages: [Site.Page] = []
}

extension SitePart {
  /// The bitmaps of buttons that pages can use.
  init(buttonsOf content: SiteContent) {
    for button in content.manifest.buttons where button.emit.contains(.png) {
      images += button.bitmaps().compactMap { bitmap in
        content.rendered.asset(of: bitmap.siteImage).map { Site.File($0) }
      }
    }
  }

  /// The card of the team.
  init(cardOf content: SiteContent) {
    if let (_, asset) = content.card { images = [Site.File(asset)] }
  }
}

extension SitePart {
  /// `strips.css`, with a class for each strip, and the pictures that it names.
  init(stripsOf content: SiteContent) {
    let strips = content.manifest.strips
    guard !strips.isEmpty else { return }
    var css = CSSWriter()
    for strip in strips {
      let found = content.images(of: strip)
      images += found.map { Site.File($0.asset) }
      guard let first = found.first else { continue }
      css.rule(
        [".strip-\(CSSName.escaped(strip.name))"],
        [
          "display: block", "height: \(strip.height)px",
          // Browsers that do not know `image-set` skip its line, and keep the one before.
          "background: \(CSSWriter.url(first.asset)) repeat-x",
          "background-image: \(CSSWriter.imageSet(found))",
          "background-size: 1px \(strip.height)px",
        ])
    }
    pages = [Site.Page("strips.css", css.text)]
  }
}
