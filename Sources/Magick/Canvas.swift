import CMagickWand
package import Foundation

/// One picture in ImageMagick's hands.
///
/// It stays on the thread that made it: neither copyable nor sendable. Reading changes nothing,
/// changing is `mutating`, ending is `consuming`. Bytes travel, canvases do not.
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
  /// `options` are settings of it, such as `jpeg:size`. The corresponding C function is
  /// `MagickReadImageBlob`.
  package init(
    decoding bytes: Data, coder: String, options: [(key: String, value: String)] = []
  ) throws(MagickError) {
    let wand = Wand()
    try wand.check(unsafe MagickSetFormat(wand.pointer, coder), "MagickSetFormat")
    try wand.check(unsafe MagickSetFilename(wand.pointer, coder + ":[0]"), "MagickSetFilename")
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
    self.init(wand)
  }

  /// The corresponding C function is `MagickGetImageWidth`.
  package var width: Int { Int(unsafe MagickGetImageWidth(wand.pointer)) }

  /// The corresponding C function is `MagickGetImageHeight`.
  package var height: Int { Int(unsafe MagickGetImageHeight(wand.pointer)) }

  /// What the decoder complained about without failing.
  ///
  /// A JPEG without its second half is a success to ImageMagick, with a warning. The corresponding
  /// C function is our `sitegen_decoder_warning`, since the wand has none.
  package var decoderWarning: String? {
    unsafe sitegen_decoder_warning(wand.pointer).map { unsafe String(cString: $0) }
  }
}
