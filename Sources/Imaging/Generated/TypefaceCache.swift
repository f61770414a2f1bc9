import Bytes
import Foundation
import Lettering

/// The fonts that a worker has opened, by digest.
///
/// It is right whatever it forgets: a font is a pure function of its bytes.
struct TypefaceCache {
  /// Bytes; the largest font, of emoji, has 11 MB.
  private var opened = BoundedCache<String, Result<Typeface, LetteringError>>(limit: 64 << 20)

  fileprivate mutating func typeface(
    _ digest: String, opening bytes: Data
  ) throws(LetteringError) -> Typeface {
    if let known = opened[digest] { return try known.get() }
    let result = Result { () throws(LetteringError) in try Typeface(bytes) }
    opened.keep(result, for: digest, cost: bytes.count)
    return try result.get()
  }
}

extension Supplies {
  /// Opens a font once.
  func typeface(_ digest: String) throws(Rejection) -> Typeface {
    guard let bytes = self[digest] else {
      throw Rejection(.fontUnusable, "the worker was not given the font \(digest.prefix(12))")
    }
    do throws(LetteringError) {
      return try typefaces.typeface(digest, opening: bytes)
    } catch {
      throw Rejection(error)
    }
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
