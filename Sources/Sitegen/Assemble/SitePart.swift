/// What one export adds to the folder.
struct SitePart: Sendable {
  /// Any order; the same image may be named twice.
  var images: [Site.Image] = []
  /// In the order of publishing.
  var pages: [Site.Page] = []

  static func + (left: SitePart, right: SitePart) -> SitePart {
    SitePart(images: left.images + right.images, pages: left.pages + right.pages)
  }
}
