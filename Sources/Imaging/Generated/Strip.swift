import Foundation
import Recipes

extension Strip {
  /// Fills each row with the shadow's mean density over the row's height.
  func raster(size: PixelSize) -> Raster {
    var raster = Raster(size: size, filledWith: color)
    let row = Double(height) / Double(size.height)
    for y in 0..<size.height {
      let density = depth(until: Double(y + 1) * row) - depth(until: Double(y) * row)
      let alpha = UInt8((Double(color.alpha) * min(max(density / row, 0), 1)).rounded())
      for x in 0..<size.width { raster.bytes[(y * size.width + x) * 4 + 3] = alpha }
    }
    return raster
  }

  /// Returns an antiderivative of the density, at `y` points below the top.
  private func depth(until y: Double) -> Double {
    let distance = y - (isAbove ? Double(height) : 0) - offset
    return isAbove ? ramp(distance) : -ramp(-distance)
  }

  /// Returns the integral of the normal distribution Φ(x / radius); far from 0, Φ is 0 or 1.
  private func ramp(_ x: Double) -> Double {
    guard abs(x) < 40 * radius else { return max(x, 0) }
    let z = x / radius
    let cumulated = erfc(-z / 2.0.squareRoot()) / 2
    let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
    return radius * (z * cumulated + density)
  }
}
