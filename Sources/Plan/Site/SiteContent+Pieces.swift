package import Manifest
package import Recipes

extension SiteContent {
  /// The styles that exports of avatars are made of, as indices: those with PNG files.
  package var exportableStyles: [Int] {
    manifest.styles.indices.filter { style in
      looks.plans[style].picture.contains { $0.format == .png }
    }
  }

  /// The finished bitmaps of a button's state, by scale; those that failed are left out.
  package func bitmaps(
    of button: ButtonStyle, state: String, in appearance: String, at scales: [Double]
  ) -> [(bitmap: ButtonBitmap, asset: Asset)] {
    button.bitmaps(of: state, in: appearance, at: scales).compactMap { bitmap in
      rendered.asset(of: bitmap.siteImage).map { (bitmap, $0) }
    }
  }
}

extension Site.Image {
  /// An image named by its content.
  package init(_ asset: Asset, _ format: OutputFormat) {
    self.init(
      path: asset.path(as: format.fileExtension), digest: asset.digest, bytes: asset.bytes)
  }

  /// An image under a name that a program looks for.
  package init(_ asset: Asset, at path: String) {
    self.init(path: path, digest: asset.digest, bytes: asset.bytes)
  }
}
