import CMagickWand

extension Canvas {
  /// Forgets the page that a file claims: offsets and virtual sizes must not steer later steps.
  ///
  /// The corresponding C function is `MagickResetImagePage`.
  package mutating func repage() throws(MagickError) {
    try wand.check(unsafe MagickResetImagePage(wand.pointer, "0x0+0+0"), "MagickResetImagePage")
  }

  /// Puts a frame where it belongs on the transparent page of its animation.
  ///
  /// The corresponding C functions are `MagickSetImageAlphaChannel`, `MagickSetImagePage` and
  /// `MagickCoalesceImages`.
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
