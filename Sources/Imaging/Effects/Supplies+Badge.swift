import Magick
import Recipes

/// A badge picture in the size that it was asked for.
struct BadgeKey: Hashable {
  let digest: String
  let side: Int
}

extension Supplies {
  /// A picture, wholly inside a square; decoded once for each size.
  func badge(
    _ digest: String, _ inspection: Inspection, side: Int
  ) throws(Rejection) -> Raster {
    let key = BadgeKey(digest: digest, side: side)
    if let badge = badges[key] { return badge }
    guard let bytes = self[digest] else {
      throw Rejection(.renderFailed, "the badge \(digest.prefix(12)) was not supplied")
    }
    let box = PixelSize(width: side, height: side)
    let frame = Frame(base: box, box: box, fit: .contain)
    let placement = frame.placement(of: inspection.uprightSize, in: box)
    let badge: Raster
    do throws(Rejection) {
      let negative = try inspection.decode(bytes, reduction: inspection.reduction(for: frame))
      do {
        badge = try negative.developed(placement).placed(in: box, x: placement.x, y: placement.y)
      } catch {
        throw Rejection(.decodeFailed, error.sentence)
      }
    } catch {
      throw Rejection(error.reason, "the badge \(digest.prefix(12)): \(error.detail)")
    }
    badges.keep(badge, for: key, cost: box.rasterBytes)
    return badge
  }
}
