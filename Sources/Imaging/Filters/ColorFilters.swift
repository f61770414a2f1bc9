import Recipes

extension Raster {
  mutating func removeColor() {
    var bytes = bytes.mutableSpan
    for at in stride(from: 0, to: bytes.count, by: 4) {
      let gray = luma(bytes[at], bytes[at &+ 1], bytes[at &+ 2])
      bytes[at] = gray
      bytes[at &+ 1] = gray
      bytes[at &+ 2] = gray
    }
  }

  mutating func tint(_ color: Color) {
    guard color.alpha > 0 else { return }
    let dyes = (0...255).map { Self.dye(color, luma: Float($0)) }
    let strength = Float(color.alpha) / 255
    let dyed = dyes.span
    var bytes = bytes.mutableSpan
    for at in stride(from: 0, to: bytes.count, by: 4) {
      let pixel = SIMD4(Float(bytes[at]), Float(bytes[at &+ 1]), Float(bytes[at &+ 2]), 0)
      let gray = luma(bytes[at], bytes[at &+ 1], bytes[at &+ 2])
      let mixed = pixel + (dyed[Int(gray)] - pixel) * strength + 0.5
      bytes[at] = UInt8(mixed.x)
      bytes[at &+ 1] = UInt8(mixed.y)
      bytes[at &+ 2] = UInt8(mixed.z)
    }
  }

  private static func dye(_ color: Color, luma: Float) -> SIMD4<Float> {
    let tint = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0)
    let own = (tint * SIMD4(0.2126, 0.7152, 0.0722, 0)).sum()
    let white = SIMD4<Float>(255, 255, 255, 0)
    let dyed =
      luma <= own
      ? tint * (own > 0 ? luma / own : 0) : tint + (white - tint) * ((luma - own) / (255 - own))
    return dyed.clamped(lowerBound: .zero, upperBound: white)
  }
}
