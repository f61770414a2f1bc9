package import Recipes

extension Portrait {
  /// Pixels of the portrait in a picture of this size.
  ///
  /// The person is as large as the shorter side allows; a transparent one has no backdrop, a grey
  /// one is a black-and-white photograph.
  package func drawn(
    at size: PixelSize, isTransparent: Bool = false, isGrey: Bool = false
  ) -> Drawing {
    PortraitPainter(self, size: size, isTransparent: isTransparent).canvas.drawing(isGrey: isGrey)
  }
}
