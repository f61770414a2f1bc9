extension TestPicture {
  /// Returns a GIF with frames that cover the whole screen.
  ///
  /// The palette has the first 255 colours; pixels with an alpha below 128 are transparent.
  package static func gif(
    width: Int, height: Int, frames: Int = 1, screen: (width: Int, height: Int)? = nil,
    pixel: (_ frame: Int, _ x: Int, _ y: Int) -> Pixel
  ) -> Data {
    var palette: [Pixel] = []
    var places: [Pixel: Int] = [:]
    var pictures: [[Int]] = []
    for frame in 0..<frames {
      var indices: [Int] = []
      for y in 0..<height {
        for x in 0..<width {
          let color = pixel(frame, x, y)
          if color.alpha < 128 {
            indices.append(255)
          } else if let known = places[color] {
            indices.append(known)
          } else if palette.count < 255 {
            places[color] = palette.count
            indices.append(palette.count)
            palette.append(color)
          } else {
            indices.append(254)
          }
        }
      }
      pictures.append(indices)
    }

    var file = Array("GIF89a".utf8)
    file.appendLittle(screen?.width ?? width, width: 2)
    file.appendLittle(screen?.height ?? height, width: 2)
    file += [0xF7, 0, 0]
    file += palette.flatMap { [$0.red, $0.green, $0.blue] }
    file += [UInt8](repeating: 0, count: 768 - 3 * palette.count)
    if frames > 1 { file += [0x21, 0xFF, 11] + "NETSCAPE2.0".utf8 + [3, 1, 0, 0, 0] }
    for indices in pictures {
      let isTransparent = indices.contains(255)
      file += [0x21, 0xF9, 4, isTransparent ? 5 : 4, 10, 0, 255, 0]
      file += [0x2C, 0, 0, 0, 0]
      file.appendLittle(width, width: 2)
      file.appendLittle(height, width: 2)
      file.append(0)
      file += gifData(indices)
    }
    return Data(file + [0x3B])
  }

  /// Returns 9-bit codes; a clear code after every 250 codes keeps their width.
  private static func gifData(_ indices: [Int]) -> [UInt8] {
    var bits = BitWriter()
    for (place, index) in indices.enumerated() {
      if place % 250 == 0 { bits.write(256, count: 9) }
      bits.write(index, count: 9)
    }
    bits.write(257, count: 9)
    return [8] + pieces(bits.bytes)
  }

  /// Returns sub-blocks of up to 255 bytes, followed by an empty block.
  package static func pieces(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 255).flatMap { start in
      let piece = bytes[start..<min(start + 255, bytes.count)]
      return [UInt8(piece.count)] + piece
    } + [0]
  }
}
