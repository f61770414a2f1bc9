import CMagickWand
package import Foundation

/// An ImageMagick picture.
///
/// It is neither copyable nor sendable, so it stays on its thread.
package struct Canvas: ~Copyable {
  var wand: Wand

  init(_ wand: consuming Wand) {
    self.wand = wand
  }

  /// Decodes the first frame of a file in memory.
  ///
  /// The prefix forces the coder `coder`, such as `"PNG"`, so other formats are refused instead of
  /// detected. No file name reaches ImageMagick. The size is checked, since ImageMagick accepts a
  /// picture of 0 × 0. `options` are ImageMagick settings, such as `jpeg:size`.
  package init(
    decoding bytes: Data, coder: String, options: [(key: String, value: String)] = []
  ) throws(MagickError) {
    let wand = Wand()
    try wand.check(unsafe MagickSetFormat(wand.pointer, coder), "MagickSetFormat")
    // With `[0]`, ImageMagick would look for a file of that name, and a PNG has one frame anyway.
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
    // libjpeg stops decoding at an error. In other formats an error may be a single colour outside
    // the palette.
    if coder == "JPEG", let exception = wand.decoderException,
      exception.severity >= ErrorException.rawValue
    {
      throw exception
    }
    self.init(wand)
  }

  package var width: Int { Int(unsafe MagickGetImageWidth(wand.pointer)) }

  package var height: Int { Int(unsafe MagickGetImageHeight(wand.pointer)) }

  /// The decoder's warning on success: a truncated JPEG decodes with a warning.
  package var decoderWarning: String? { wand.decoderException?.message }
}

extension Canvas {
  /// Removes the page offset and virtual size, which would affect later steps.
  package mutating func repage() throws(MagickError) {
    try wand.check(unsafe MagickResetImagePage(wand.pointer, "0x0+0+0"), "MagickResetImagePage")
  }

  /// Places a frame on the transparent page of its animation.
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
  /// Encodes the canvas without metadata.
  ///
  /// Stripping removes profiles, comments, and dates that would differ between runs. The `Data`
  /// owns ImageMagick's buffer, which saves a copy.
  ///
  /// `coder` is ImageMagick's format name, such as `"PNG"`. `options` are coder settings, such as
  /// `webp:method`.
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
    // This is the only owner, and ImageMagick requires its own deallocator.
    let bytes = unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(blob), count: count,
      deallocator: .custom { pointer, _ in _ = unsafe MagickRelinquishMemory(pointer) })
    guard count > 0 else { throw wand.failure("MagickGetImageBlob") }
    return bytes
  }
}
