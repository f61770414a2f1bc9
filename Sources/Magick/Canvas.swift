import CMagickWand
package import Foundation

/// An ImageMagick picture, which is neither copyable nor sendable and so stays on one thread.
package struct Canvas: ~Copyable {
  var wand: Wand

  init(_ wand: consuming Wand) {
    self.wand = wand
  }

  /// Decodes the first frame of a file in memory.
  ///
  /// `coder` is an ImageMagick format name, such as `"PNG"`; files in other formats fail to decode.
  /// `options` are ImageMagick settings, such as `jpeg:size`. The size of the picture is checked,
  /// because ImageMagick accepts 0 × 0 pixels.
  package init(
    decoding bytes: Data, coder: String, options: [(key: String, value: String)] = []
  ) throws(MagickError) {
    let wand = Wand()
    try wand.check(unsafe MagickSetFormat(wand.pointer, coder), "MagickSetFormat")
    // Omit `[0]` for PNG, which has only one frame: ImageMagick would treat `[0]` as a file name.
    let name = coder == "PNG" ? "PNG:" : coder + ":[0]"
    try wand.check(unsafe MagickSetFilename(wand.pointer, name), "MagickSetFilename")
    for option in options {
      try wand.check(
        unsafe MagickSetOption(wand.pointer, option.key, option.value), "MagickSetOption")
    }
    let read = unsafe bytes.withUnsafeBytes { buffer in
      unsafe MagickReadImageBlob(wand.pointer, buffer.baseAddress, buffer.count)
    }
    try wand.check(read, "MagickReadImageBlob")
    guard unsafe MagickGetImageWidth(wand.pointer) > 0,
      unsafe MagickGetImageHeight(wand.pointer) > 0
    else {
      throw MagickError(call: "MagickReadImageBlob", message: "no pixels")
    }
    // libjpeg stops decoding at an error. In other formats, an error may just mean that one colour
    // is outside the palette.
    if coder == "JPEG", let exception = wand.decoderException,
      exception.severity >= ErrorException.rawValue
    {
      throw exception
    }
    self.init(wand)
  }

  package var width: Int { Int(unsafe MagickGetImageWidth(wand.pointer)) }

  package var height: Int { Int(unsafe MagickGetImageHeight(wand.pointer)) }

  /// The warning from a decoder that succeeded, for example for a truncated JPEG.
  package var decoderWarning: String? { wand.decoderException?.message }
}

extension Canvas {
  /// Removes the page offset and virtual size, which would affect later steps.
  package mutating func repage() throws(MagickError) {
    try wand.check(unsafe MagickResetImagePage(wand.pointer, "0x0+0+0"), "MagickResetImagePage")
  }

  /// Draws the frame at its position on the transparent page of the animation.
  package mutating func coalesce(width: Int, height: Int) throws(MagickError) {
    var page = (width: 0, height: 0, x: 0, y: 0)
    try wand.check(
      unsafe MagickGetImagePage(wand.pointer, &page.width, &page.height, &page.x, &page.y),
      "MagickGetImagePage")
    let isWhole = page.x == 0 && page.y == 0 && self.width == width && self.height == height
    guard !isWhole else { return try repage() }
    try wand.check(
      unsafe MagickSetImageAlphaChannel(wand.pointer, SetAlphaChannel),
      "MagickSetImageAlphaChannel")
    try wand.check(
      unsafe MagickSetImagePage(wand.pointer, width, height, page.x, page.y),
      "MagickSetImagePage")
    guard let whole = unsafe MagickCoalesceImages(wand.pointer) else {
      throw wand.failure("MagickCoalesceImages")
    }
    wand = unsafe Wand(owning: whole)
    try repage()
  }
}

extension Canvas {
  /// Encodes the canvas without metadata, because its timestamps would differ between builds.
  package consuming func encoded(
    as coder: String, quality: Int? = nil, options: [(key: String, value: String)] = []
  ) throws(MagickError) -> Data {
    try wand.check(unsafe MagickStripImage(wand.pointer), "MagickStripImage")
    try wand.check(unsafe MagickSetImageDepth(wand.pointer, 8), "MagickSetImageDepth")
    try wand.check(unsafe MagickSetImageFormat(wand.pointer, coder), "MagickSetImageFormat")
    if let quality {
      try wand.check(
        unsafe MagickSetImageCompressionQuality(wand.pointer, quality),
        "MagickSetImageCompressionQuality")
    }
    for option in options {
      try wand.check(
        unsafe MagickSetOption(wand.pointer, option.key, option.value), "MagickSetOption")
    }
    var count = 0
    guard let blob = unsafe MagickGetImageBlob(wand.pointer, &count) else {
      throw wand.failure("MagickGetImageBlob")
    }
    // The `Data` is the only owner of the buffer, which ImageMagick's deallocator must free.
    let bytes = unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(blob), count: count,
      deallocator: .custom { pointer, _ in _ = unsafe MagickRelinquishMemory(pointer) })
    guard count > 0 else { throw wand.failure("MagickGetImageBlob") }
    return bytes
  }
}
