package import Foundation
package import Recipes

/// One picture file of a sample site: what is drawn, and how it is stored.
package struct SamplePicture: Hashable, Sendable {
  /// Where a drawing gets no finer, and is enlarged instead: cameras' lenses end there too.
  private static let finest = 1200

  /// Relative to the manifest.
  package var path: String
  package var portrait: Portrait
  /// Pixels, as a viewer sees it.
  package var size: PixelSize
  package var format: OutputFormat
  package var orientation: Orientation
  package var isTransparent: Bool
  package var isGrey: Bool

  package init(
    path: String, portrait: Portrait, size: PixelSize, format: OutputFormat,
    orientation: Orientation = .upright, isTransparent: Bool = false, isGrey: Bool = false
  ) {
    precondition(orientation == .upright || format == .jpeg, "only JPEG files are marked")
    self.path = path
    self.portrait = portrait
    self.size = size
    self.format = format
    self.orientation = orientation
    self.isTransparent = isTransparent
    self.isGrey = isGrey
  }

  package func drawn() -> Drawing {
    let longer = max(size.width, size.height)
    let scale = min(Double(Self.finest) / Double(longer), 1)
    let fine = PixelSize(
      width: max(Int((Double(size.width) * scale).rounded()), 1),
      height: max(Int((Double(size.height) * scale).rounded()), 1))
    return portrait.drawn(at: fine, isTransparent: isTransparent, isGrey: isGrey)
      .enlarged(to: size, seed: portrait.seed)
      .stored(in: orientation)
  }

  /// The bytes of the file.
  package func encoded(by encoder: PictureEncoder) throws -> Data {
    let data = try encoder.encode(drawn(), format, format.defaultQuality)
    return orientation == .upright ? data : orientation.marked(jpeg: data)
  }
}
