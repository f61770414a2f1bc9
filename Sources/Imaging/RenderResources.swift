package import Foundation

/// What pictures are made with beside their source: fonts, badge pictures, a detector's data.
///
/// Known by the digest of their bytes, so that recipes and sources can name them. It stays on the
/// thread that made it, which lets it keep what it has read.
package final class Supplies {
  private let items: [String: Data]
  /// Detectors that were read before; nil for what cannot be read.
  private var cascades: [String: Cascade?] = [:]
  /// Fonts that were opened before.
  var typefaces = TypefaceCache()
  /// Badge pictures that are decoded already.
  var badges = BoundedCache<BadgeKey, Raster>(limit: 4 << 20)

  package init(_ items: [String: Data] = [:]) {
    self.items = items
  }

  package subscript(digest: String) -> Data? { items[digest] }

  /// The detector of that name, read once; nil when there is none or it cannot be read.
  func cascade(_ digest: String) -> Cascade? {
    if let known = cascades[digest] { return known }
    let read = items[digest].flatMap(Cascade.init(reading:))
    cascades[digest] = .some(read)
    return read
  }
}
