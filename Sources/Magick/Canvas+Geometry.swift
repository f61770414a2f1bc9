import CMagickWand

extension Canvas {
  /// Scales to exactly this size with the Lanczos filter, weighing colours by their alpha.
  ///
  /// The corresponding C function is `MagickResizeImage`.
  package mutating func resize(width: Int, height: Int) throws(MagickError) {
    try wand.check(
      unsafe MagickResizeImage(wand.pointer, width, height, LanczosFilter, 1), "MagickResizeImage")
  }

  /// Cuts out a rectangle and forgets where it lay.
  ///
  /// The corresponding C functions are `MagickCropImage` and `MagickResetImagePage`.
  package mutating func crop(x: Int, y: Int, width: Int, height: Int) throws(MagickError) {
    try wand.check(unsafe MagickCropImage(wand.pointer, width, height, x, y), "MagickCropImage")
    try repage()
  }

  /// Forgets the page that a file claims: offsets and virtual sizes must not steer later steps.
  ///
  /// The corresponding C function is `MagickResetImagePage`.
  package mutating func repage() throws(MagickError) {
    try wand.check(unsafe MagickResetImagePage(wand.pointer, "0x0+0+0"), "MagickResetImagePage")
  }

  /// Turns the picture upright from an EXIF orientation, 1…8, that the caller has read.
  ///
  /// The corresponding C function is `MagickAutoOrientImage`.
  package mutating func turnUpright(orientation: Int) throws(MagickError) {
    precondition((1...8).contains(orientation), "orientations are 1 to 8")
    guard orientation != 1 else { return }
    try wand.check(
      unsafe MagickSetImageOrientation(
        wand.pointer, OrientationType(rawValue: UInt32(orientation))),
      "MagickSetImageOrientation")
    try wand.check(unsafe MagickAutoOrientImage(wand.pointer), "MagickAutoOrientImage")
    try repage()
  }
}
