import Recipes

extension Generated {
  func raster(size: PixelSize, supplies: Supplies) throws(Rejection) -> Raster {
    switch self {
    case .initials(let initials): try initials.raster(size: size, supplies: supplies)
    case .identicon(let identicon): identicon.raster(size: size)
    case .strip(let strip): strip.raster(size: size)
    }
  }
}
