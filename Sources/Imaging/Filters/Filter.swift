/// One step on the picture in its box, before the clip.
///
/// A new filter is a file beside this one and a case here.
package enum Filter: Codable, Hashable, Sendable {
  case grayscale(Grayscale)
  case tint(Tint)
  case blur(Blur)

  func apply(to raster: inout Raster) {
    switch self {
    case .grayscale(let grayscale): grayscale.apply(to: &raster)
    case .tint(let tint): tint.apply(to: &raster)
    case .blur(let blur): blur.apply(to: &raster)
    }
  }
}
