extension Raster {
  /// Cuts away what lies outside the mask.
  mutating func clip(to mask: Mask) {
    precondition(mask.size == size, "a mask must have the size of its picture")
    var pixels = bytes.mutableSpan
    let coverage = mask.coverage.span
    for index in coverage.indices where coverage[index] != 255 {
      let alpha = index &* 4 &+ 3
      pixels[alpha] = UInt8((Int(pixels[alpha]) &* Int(coverage[index]) &+ 127) / 255)
    }
  }
}
