import CMagickWand

extension Canvas {
  /// The maximum number of pixels in a new canvas; beyond it, `MagickConstituteImage` aborts.
  package static var room: Int {
    MagickRuntime.requireStarted()
    let used = UInt64(clamping: MagickGetResource(MemoryResource))
    let left = (Policy.memory - min(used, Policy.memory)) / Policy.bytesPerPixel
    let area = UInt64(clamping: MagickGetResourceLimit(AreaResource))
    // ImageMagick refuses a canvas whose size equals its limit.
    return Int(clamping: max(min(left, area), 1) - 1)
  }

  /// Creates a canvas from rows of 8-bit RGBA pixels with straight alpha.
  package init(
    rgba bytes: Span<UInt8>, width: Int, height: Int, profile: [UInt8]? = nil
  ) throws(MagickError) {
    precondition(bytes.count == width * height * 4, "expected four bytes per pixel")
    guard width * height <= Self.room else {
      throw MagickError(call: "MagickConstituteImage", message: "not enough memory for the pixels")
    }
    let wand = Wand()
    let done = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe MagickConstituteImage(
        wand.pointer, width, height, "RGBA", CharPixel, buffer.baseAddress)
    }
    try wand.check(done, "MagickConstituteImage")
    if let profile { try wand.setProfile(profile) }
    self.init(wand)
  }

  package borrowing func rgba(
    columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) throws(MagickError) -> [UInt8] {
    let columns = columns ?? 0..<width
    let rows = rows ?? 0..<height
    precondition(
      columns.lowerBound >= 0 && columns.upperBound <= width && rows.lowerBound >= 0
        && rows.upperBound <= height, "ImageMagick would invent pixels outside the picture")
    let count = columns.count * rows.count * 4
    var done = MagickFalse
    // ImageMagick fills all `count` bytes or reports an error.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      done = unsafe MagickExportImagePixels(
        wand.pointer, columns.lowerBound, rows.lowerBound, columns.count, rows.count, "RGBA",
        CharPixel, buffer.baseAddress)
      initialized = done == MagickFalse ? 0 : count
    }
    try wand.check(done, "MagickExportImagePixels")
    return hasAlpha ? bytes : Self.opaque(bytes)
  }

  package var hasAlpha: Bool {
    unsafe MagickGetImageAlphaChannel(wand.pointer) != MagickFalse
  }

  /// Makes all pixels opaque: some coders leave the bytes of a missing alpha channel uninitialized.
  private static func opaque(_ bytes: consuming [UInt8]) -> [UInt8] {
    var pixels = bytes.mutableSpan
    for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    return bytes
  }
}
