import CMagickWand
package import Foundation

extension Canvas {
  /// Ends the canvas as a file without metadata.
  ///
  /// The bytes are ImageMagick's own buffer, freed with the `Data`: no copy is made. Stripping
  /// drops profiles, comments and the dates that would make two runs differ. The corresponding C
  /// functions are `MagickStripImage` and `MagickGetImageBlob`.
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
