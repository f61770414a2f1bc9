import Recipes

extension Grayscale {
  func apply(to raster: inout Raster) {
    var bytes = raster.bytes.mutableSpan
    for at in stride(from: 0, to: bytes.count, by: 4) {
      let gray = Self.luma(bytes[at], bytes[at &+ 1], bytes[at &+ 2])
      bytes[at] = gray
      bytes[at &+ 1] = gray
      bytes[at &+ 2] = gray
    }
  }

  /// The luma of a colour, rounded: that of a grey is the grey.
  static func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum = Int(red) &* weights.red &+ Int(green) &* weights.green &+ Int(blue) &* weights.blue
    return UInt8(truncatingIfNeeded: (sum &+ total / 2) / total)
  }

  /// Ten thousandths, which add up to 1.
  private static let weights = (red: 2126, green: 7152, blue: 722)
  private static let total = 10_000
}
