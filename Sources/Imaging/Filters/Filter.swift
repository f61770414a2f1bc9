import Recipes

extension Filter {
  func apply(to raster: inout Raster) {
    switch self {
    case .grayscale(let grayscale): grayscale.apply(to: &raster)
    case .tint(let tint): tint.apply(to: &raster)
    case .blur(let blur): blur.apply(to: &raster)
    }
  }
}
