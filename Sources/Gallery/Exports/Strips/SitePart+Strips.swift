import Manifest
import Plan
import Recipes

extension SiteContent {
  /// The finished pictures of a strip, by scale; those that failed are left out.
  func images(of strip: ShadowStrip) -> [(scale: Double, asset: Asset)] {
    strip.bitmaps.compactMap { bitmap in
      rendered.asset(of: bitmap.siteImage).map { (Double(bitmap.scale), $0) }
    }
  }
}

extension SitePart {
  /// `strips.css` and the pictures that it names.
  init(stripsOf content: SiteContent) {
    let strips = content.manifest.strips
    guard !strips.isEmpty else { return }
    images = strips.flatMap { strip in
      content.images(of: strip).map { Site.Image($0.asset, .png) }
    }
    pages = [Site.Page("strips.css", StripsCSS.text(for: content))]
  }
}
