/// Checks the positions of the pictures on a sheet, pixel by pixel.
///
/// Sheets have 16 million pixels, so this code is in a separate, optimized module.
package struct SheetMap {
  private let width: Int
  /// The state of each pixel: 1 for a picture, 2 for the gap around a picture.
  private var taken: [UInt8]

  package init(width: Int, height: Int) {
    self.width = width
    taken = [UInt8](repeating: 0, count: width * height)
  }

  /// Marks a rectangle and the gap around it, and returns false if they overlap another one.
  package mutating func take(x left: Int, y top: Int, width w: Int, height h: Int) -> Bool {
    var isFree = true
    for y in top - 1...top + h {
      for x in left - 1...left + w {
        let isInside = (top..<top + h).contains(y) && (left..<left + w).contains(x)
        let index = y * width + x
        isFree = isFree && (isInside ? taken[index] == 0 : taken[index] != 1)
        taken[index] = isInside ? 1 : 2
      }
    }
    return isFree
  }

  /// Returns whether all RGBA pixels outside the pictures are transparent black.
  package func isClearElsewhere(_ pixels: [UInt8]) -> Bool {
    for index in taken.indices where taken[index] != 1 {
      guard pixels[index * 4..<index * 4 + 4].allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }
}
