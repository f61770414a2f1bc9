/// What the bytes of a source say about themselves, read by safe Swift before any decoder.
package struct Inspection: Codable, Hashable, Sendable {
  package enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg
    case png
    case webp
    case gif
    case avif
    case heic
  }

  package var format: Format
  /// As stored; `uprightSize` is what a viewer sees.
  package var size: PixelSize
  /// EXIF orientation 1…8; whatever else the file claims counts as 1.
  package var orientation: Int

  package init(format: Format, size: PixelSize, orientation: Int = 1) {
    self.format = format
    self.size = size
    self.orientation = orientation
  }

  package var uprightSize: PixelSize {
    orientation >= 5 ? PixelSize(width: size.height, height: size.width) : size
  }
}
