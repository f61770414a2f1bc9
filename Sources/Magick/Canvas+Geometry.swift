import CMagickWand

extension Canvas {
  /// Forgets the page that a file claims: offsets and virtual sizes must not steer later steps.
  ///
  /// The corresponding C function is `MagickResetImagePage`.
  package mutating func repage() throws(MagickError) {
    try wand.check(unsafe MagickResetImagePage(wand.pointer, "0x0+0+0"), "MagickResetImagePage")
  }
}
