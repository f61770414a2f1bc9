/// A picture that is drawn from a description, at whatever size it is wanted.
package enum Generated: Codable, Hashable, Sendable {
  case initials(Initials)
  case identicon(Identicon)
  case strip(Strip)

  func raster(size: PixelSize, supplies: Supplies) throws(Rejection) -> Raster {
    switch self {
    case .initials(let initials): try initials.raster(size: size, supplies: supplies)
    case .identicon(let identicon): identicon.raster(size: size)
    case .strip(let strip): strip.raster(size: size)
    }
  }
}
