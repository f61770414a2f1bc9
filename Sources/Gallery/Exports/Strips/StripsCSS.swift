import Manifest
import Plan

/// `strips.css`: a class for each strip.
enum StripsCSS {
  static func text(for content: SiteContent) -> String {
    var css = CSSText()
    for strip in content.manifest.strips {
      css.rule(
        [".strip-\(CSSName.escape(strip.name))"], lines(of: strip, content.images(of: strip)))
    }
    return css.text
  }

  /// A block as wide as there is room; nothing for a strip without pictures.
  private static func lines(
    of strip: ShadowStrip, _ images: [(scale: Double, asset: Asset)]
  ) -> [String] {
    guard let first = images.first else { return [] }
    // Browsers that know no `image-set` pass over its line, and stay with the one before.
    return [
      "display: block", "height: \(strip.height)px",
      "background: \(CSSText.url(first.asset)) repeat-x",
      "background-image: \(CSSText.imageSet(images))", "background-size: 1px \(strip.height)px",
    ]
  }
}
