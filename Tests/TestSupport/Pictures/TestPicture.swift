/// Pictures written byte by byte, without an image library.
///
/// Each is a valid file unless its documentation says that only the structure is valid.
package enum TestPicture {
  /// An sRGB pixel with straight alpha.
  package struct Pixel: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    package static let red = Pixel(255, 0, 0)
    package static let green = Pixel(0, 255, 0)
    package static let blue = Pixel(0, 0, 255)
    package static let white = Pixel(255, 255, 255)
    package static let black = Pixel(0, 0, 0)
    package static let clear = Pixel(0, 0, 0, 0)

    /// The luma used by JPEG and television.
    var luma: UInt8 {
      let weighted: Int = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
      return UInt8((weighted + 500) / 1_000)
    }
  }

  /// Returns the pixel at x and y, from the top left.
  package typealias Paint = (_ x: Int, _ y: Int) -> Pixel

  /// Returns a gradient in which red grows to the right, and green downwards.
  package static func gradient(width: Int, height: Int) -> @Sendable (Int, Int) -> Pixel {
    { x, y in
      Pixel(UInt8(x * 255 / max(width - 1, 1)), UInt8(y * 255 / max(height - 1, 1)), 96)
    }
  }

  /// Returns quarters in four colours, which look different after any rotation or mirroring.
  package static func quarters(width: Int, height: Int) -> @Sendable (Int, Int) -> Pixel {
    { x, y in
      switch (x * 2 < width, y * 2 < height) {
      case (true, true): .red
      case (false, true): .green
      case (true, false): .blue
      case (false, false): .white
      }
    }
  }
}

extension [UInt8] {
  package mutating func appendBig(_ value: Int, width: Int) {
    for place in (0..<width).reversed() {
      append(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }

  package mutating func appendLittle(_ value: Int, width: Int) {
    for place in 0..<width { append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
  }

  package static func big(_ value: Int, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBig(value, width: width)
    return bytes
  }

  package static func little(_ value: Int, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittle(value, width: width)
    return bytes
  }
}
