import CMagickWand
package import Foundation

/// One picture that ImageMagick holds.
///
/// It stays on the thread that made it: neither copyable nor sendable. Only bytes go elsewhere.
package struct Canvas: ~Copyable {
  var wand: Wand

  init(_ wand: consuming Wand) {
    self.wand = wand
  }

  /// Decodes the first frame of a file held in memory.
  ///
  /// No file name ever reaches ImageMagick: the coder is forced by a prefix, so bytes of another
  /// format are refused instead of being sniffed. The result is checked, since ImageMagick calls
  /// a picture of 0 × 0 a success. `coder` is ImageMagick's name of the format, such as `"PNG"`;
  /// `options` are settings of it, such as `jpeg:size`.
  package init(
    decoding bytes: Data, coder: String, options: [(key: String, value: String)] = []
  ) throws(MagickError) {
    let wand = Wand()
    try wand.check(unsafe MagickSetFormat(wand.pointer, coder), "MagickSetFormat")
    // A PNG has one frame; asking for the first would make ImageMagick look for a file of that name.
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
    // Whatever libjpeg calls an error ends its work. Of other formats this may be one colour that is
    // not in the palette.
    if coder == "JPEG", let exception = wand.decoderException,
      exception.severity >= ErrorException.rawValue
    {
      throw exception
    }
    self.init(wand)
  }

  package var width: Int { Int(unsafe MagickGetImageWidth(wand.pointer)) }

  package var height: Int { Int(unsafe MagickGetImageHeight(wand.pointer)) }

  /// The decoder's warning, if it has one but did not fail: ImageMagick decodes half a JPEG with success
  /// and a warning.
  package var decoderWarning: String? { wand.decoderException?.message }
}

extension Canvas {
  /// Drops the page that a file claims: its offset and virtual size must not change later steps.
  package mutating func repage() throws(MagickError) {
    try wand.check(unsafe MagickResetImagePage(wand.pointer, "0x0+0+0"), "MagickResetImagePage")
  }

  /// Lays a frame on the transparent page of its animation.
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
  /// Writes the canvas as a file without metadata.
  ///
  /// The bytes are ImageMagick's own buffer, freed with the `Data`: no copy is made. Stripping
  /// drops profiles, comments and the dates that would make two runs differ.
  ///
  /// `coder` is ImageMagick's name of the format, such as `"PNG"`; `quality` is for coders that
  /// have one, and `options` are settings of the coder, such as `webp:method`.
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
    // The pointer is ours alone from here on, and the deallocator is the one that it asks for.
    let bytes = unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(blob), count: count,
      deallocator: .custom { pointer, _ in _ = unsafe MagickRelinquishMemory(pointer) })
    guard count > 0 else { throw wand.failure("MagickGetImageBlob") }
    return bytes
  }
}
