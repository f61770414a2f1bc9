import Imaging

extension SiteContent {
  /// The styles that exports of avatars are made of, as indices: those with PNG files.
  var exportableStyles: [Int] {
    manifest.styles.indices.filter { style in
      looks.plans[style].picture.contains { $0.format == .png }
    }
  }

  /// The finished bitmaps of a button's state, by scale; those that failed are left out.
  func bitmaps(
    of button: ButtonStyle, state: String, in appearance: String, at scales: [Double]
  ) -> [(bitmap: ButtonBitmap, asset: Asset)] {
    button.bitmaps(of: state, in: appearance, at: scales).compactMap { bitmap in
      pieces.asset(of: bitmap.piece).map { (bitmap, $0) }
    }
  }
}

extension Site.Image {
  /// An image named by its content.
  init(_ asset: Asset, _ format: OutputFormat) {
    self.init(
      path: asset.path(as: format.fileExtension), digest: asset.digest, bytes: asset.bytes)
  }

  /// An image under a name that a program looks for.
  init(_ asset: Asset, at path: String) {
    self.init(path: path, digest: asset.digest, bytes: asset.bytes)
  }
}

extension SitePart {
  /// The bitmaps of buttons that pages can use.
  init(buttonsOf content: SiteContent) {
    for button in content.manifest.buttons where button.emit.contains(.png) {
      images += button.bitmaps(at: ButtonStyle.scales).compactMap { bitmap in
        content.pieces.asset(of: bitmap.piece).map { Site.Image($0, .png) }
      }
    }
  }
}
