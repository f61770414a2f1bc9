import Foundation
import Imaging
import Recipes

/// Renders sources without effects.
enum Rendered {
  /// Renders upright, at the picture's size or stretched to a given size.
  static func whole(_ file: Data, _ size: PixelSize? = nil) throws -> Pixels {
    try ImageMagick.start()
    let inspection = try Inspection(inspecting: file)
    var picture = try Picture(.encoded(inspection, reduction: 1), file)
    let size = size ?? inspection.uprightSize
    return try Pixels(try picture.rendered(.simple(size.width, size.height, fit: .stretch)))
  }

  static func isNear(_ pixel: [UInt8], _ wanted: [Int], by tolerance: Int = 2) -> Bool {
    zip(pixel, wanted).allSatisfy { abs(Int($0) - $1) <= tolerance }
  }
}
