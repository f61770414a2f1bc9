import Recipes

extension Matte {
  /// Leaves no transparent pixel: what JPEG cannot store must not turn black.
  func apply(to raster: inout Raster) {
    let backdrop = [Int(color.red), Int(color.green), Int(color.blue)]
    var pixels = raster.bytes.mutableSpan
    for pixel in stride(from: 0, to: pixels.count, by: 4) where pixels[pixel + 3] != 255 {
      let alpha = Int(pixels[pixel &+ 3])
      for channel in 0..<3 {
        let value = Int(pixels[pixel &+ channel]) &* alpha &+ backdrop[channel] &* (255 &- alpha)
        pixels[pixel &+ channel] = UInt8((value &+ 127) / 255)
      }
      pixels[pixel &+ 3] = 255
    }
  }
}
