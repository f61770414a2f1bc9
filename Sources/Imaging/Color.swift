/// A colour as it is stored everywhere: sRGB, 8 bits a channel, straight alpha.
package struct Color: Codable, Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  package var alpha: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  package static let white = Color(red: 255, green: 255, blue: 255)
  package static let black = Color(red: 0, green: 0, blue: 0)

  package var isOpaque: Bool { alpha == 255 }
}
