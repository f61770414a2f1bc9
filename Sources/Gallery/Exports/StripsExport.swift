import Bytes
import Manifest
import Plan
import Recipes

extension SitePart {
  /// `strips.css`, with a class for each strip, and the pictures that it names.
  init(stripsOf content: SiteContent) {
    let strips = content.manifest.strips
    guard !strips.isEmpty else { return }
    var css = CSSWriter()
    for strip in strips {
      let found = content.images(of: strip)
      images += found.map { Site.Image($0.asset, .png) }
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
