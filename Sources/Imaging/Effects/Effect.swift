/// One step after the clip.
///
/// A new effect is a file beside this one and a case here.
package enum Effect: Codable, Hashable, Sendable {
  case underlay(Underlay)
  case border(Border)
  case matte(Matte)

  /// Applies the step to a picture that is clipped to `outline`.
  func apply(to raster: inout Raster, outline: Outline, masks: inout MaskCache) {
    switch self {
    case .underlay(let underlay):
      underlay.apply(to: &raster, outline: masks.mask(outline, size: raster.size))
    case .border(let border):
      border.apply(
        to: &raster, outline: masks.mask(outline, size: raster.size),
        inner: masks.mask(outline, size: raster.size, inset: border.width))
    case .matte(let matte):
      matte.apply(to: &raster)
    }
  }
}
