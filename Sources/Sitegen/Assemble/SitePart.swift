/// What one export adds to the folder.
struct SitePart: Sendable {
  /// Any order; the same image may be named twice.
  var images: [Site.Image] = []
  /// In the order of publishing.
  var pages: [Site.Page] = []
}
