package import Foundation
import Recipes

/// How a camera was held: the number that EXIF gives it.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case mirroredUpsideDown
  case transposed
  /// Shown a quarter turn clockwise; what phones held upright write.
  case quarterTurn
  case transversed
  case threeQuarterTurn

  var swapsSides: Bool { rawValue >= 5 }

  /// Where the pixel lies in the file that a viewer sees at x, y of an upright picture.
  func stored(x: Int, y: Int, in upright: PixelSize) -> (x: Int, y: Int) {
    let (left, top) = (x, y)
    let (right, bottom) = (upright.width - 1 - x, upright.height - 1 - y)
    return switch self {
    case .upright: (left, top)
    case .mirrored: (right, top)
    case .upsideDown: (right, bottom)
    case .mirroredUpsideDown: (left, bottom)
    case .transposed: (top, left)
    case .quarterTurn: (top, right)
    case .transversed: (bottom, right)
    case .threeQuarterTurn: (bottom, left)
    }
  }

  /// The JPEG file with an EXIF block that states this orientation, and nothing else, in front.
  package func marked(jpeg: Data) -> Data {
    precondition(jpeg.starts(with: [0xFF, 0xD8]), "a JPEG file starts so")
    // Big-endian TIFF with one directory of one entry: tag 0x0112, type short, count 1.
    let exif: [UInt8] =
      Array("Exif\0\0".utf8) + Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(rawValue), 0, 0] + [0, 0, 0, 0]
    let length = exif.count + 2
    return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
      + jpeg.dropFirst(2)
  }
}
