/// Masks by outline, size and inset, so that each is computed once for all formats of an image.
///
/// It is right whatever it forgets: a mask is a pure function of its key.
struct MaskCache {
  private struct Key: Hashable {
    let outline: Outline
    let size: PixelSize
    let inset: Double
  }

  /// Bytes; a 1024 × 1024 mask is 1 MiB.
  private var masks = BoundedCache<Key, Mask>(limit: 8 << 20)

  mutating func mask(_ outline: Outline, size: PixelSize, inset: Double = 0) -> Mask {
    let key = Key(outline: outline, size: size, inset: inset)
    if let mask = masks[key] { return mask }
    let mask = Mask(outline, size: size, inset: inset)
    masks.keep(mask, for: key, cost: mask.coverage.count)
    return mask
  }
}
