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
  private static let limit = 8 << 20

  private var masks: [Key: Mask] = [:]
  private var cost = 0

  mutating func mask(_ outline: Outline, size: PixelSize, inset: Double = 0) -> Mask {
    let key = Key(outline: outline, size: size, inset: inset)
    if let mask = masks[key] { return mask }
    let mask = Mask(outline, size: size, inset: inset)
    if cost + mask.coverage.count > Self.limit {
      masks.removeAll()
      cost = 0
    }
    masks[key] = mask
    cost += mask.coverage.count
    return mask
  }
}
