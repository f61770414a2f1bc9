import Bytes
package import Foundation
import Lettering
import Magick
import Recipes

/// A render's inputs except its source, keyed by digest; for use on a single thread.
package final class RenderResources {
  private let items: [String: Data]
  private var cascades: [String: Cascade?] = [:]
  /// The opened fonts; an emoji font, the largest kind, takes 11 MB.
  private var typefaces = BoundedCache<String, Result<Typeface, LetteringError>>(limit: 64 << 20)
  private var badges = BoundedCache<String, Raster>(limit: 4 << 20)

  let masks = MaskCache()
  let webP = WebPWriter()

  package init(_ items: [String: Data] = [:]) {
    self.items = items
  }

  package subscript(digest: String) -> Data? { items[digest] }

  func cascade(_ digest: String) -> Cascade? {
    if let known = cascades[digest] { return known }
    let read = items[digest].flatMap(Cascade.init(reading:))
    cascades[digest] = .some(read)
    return read
  }

  func typeface(_ digest: String) throws(Rejection) -> Typeface {
    guard let bytes = self[digest] else {
      throw Rejection(.fontUnusable, "the font \(digest.prefix(12)) was not supplied")
    }
    do throws(LetteringError) {
      if let known = typefaces[digest] { return try known.get() }
      let opened = Result { () throws(LetteringError) in try Typeface(bytes) }
      typefaces.keep(opened, for: digest, cost: bytes.count)
      return try opened.get()
    } catch {
      throw Rejection(error)
    }
  }

  func badge(
    _ digest: String, _ inspection: Inspection, box: PixelSize, fit: Fit
  ) throws(Rejection) -> Raster {
    let key = "\(digest) \(box.width)x\(box.height) \(fit)"
    if let badge = badges[key] { return badge }
    guard let bytes = self[digest] else {
      throw Rejection(.renderFailed, "the badge or mask \(digest.prefix(12)) was not supplied")
    }
    let badge: Raster
    do {
      badge = try inspection.raster(of: bytes, in: Frame(base: box, box: box, fit: fit))
    } catch {
      throw Rejection(error.reason, "the badge or mask \(digest.prefix(12)): \(error.detail)")
    }
    badges.keep(badge, for: key, cost: box.rasterBytes)
    return badge
  }
}

extension Rejection {
  init(_ error: LetteringError) {
    switch error {
    case .unusable(let why):
      self.init(.fontUnusable, "the font cannot be used: \(why)")
    case .missing(let scalars):
      let names = scalars.prefix(8).map(Hex.codePoint)
      self.init(.glyphMissing, "no font has a glyph for \(names.joined(separator: " "))")
    }
  }
}
