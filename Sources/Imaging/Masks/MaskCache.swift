/// Masks by what they show, so that each is computed once for all formats of an image.
///
/// It is right whatever it forgets: a mask is a pure function of its figure.
struct MaskCache {
  /// Bytes; a 1024 × 1024 mask is 1 MiB.
  private var masks = BoundedCache<Figure, Mask>(limit: 8 << 20)

  /// A parallel of the stage's outline; below 0 it lies outside.
  mutating func mask(_ stage: Stage, inset: Double = 0) -> Mask {
    mask(stage.figure(inset: inset))
  }

  mutating func mask(_ figure: Figure) -> Mask {
    if let mask = masks[figure] { return mask }
    let mask = Mask(figure)
    masks.keep(mask, for: figure, cost: mask.coverage.count)
    return mask
  }
}
