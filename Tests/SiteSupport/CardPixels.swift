extension PNGReader {
  package func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(pixels[start..<start + 4])
  }

  /// Expects an opaque, uniform background outside the frames.
  package func expectGround(_ ground: [UInt8], outside frames: [PixelFrame]) {
    var isInside = [Bool](repeating: false, count: width * height)
    for frame in frames {
      for y in frame.y..<frame.y + frame.height {
        for x in frame.x..<frame.x + frame.width { isInside[y * width + x] = true }
      }
    }
    var wrong = 0
    for index in 0..<width * height {
      let pixel = pixels[index * 4..<index * 4 + 4]
      if isInside[index] ? pixel.last != 255 : !pixel.elementsEqual(ground) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  /// Expects the pixels of a picture in a frame, composited on the background.
  package func expect(_ picture: PNGReader, in frame: PixelFrame, on ground: [UInt8]) {
    #expect(picture.width == frame.width && picture.height == frame.height)
    var worst = 0
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        let (above, card) = (picture.pixel(x, y), pixel(frame.x + x, frame.y + y))
        for channel in 0..<3 {
          let alpha = Double(above[3]) / 255
          let mixed = Double(above[channel]) * alpha + Double(ground[channel]) * (1 - alpha)
          worst = max(worst, abs(Int(mixed.rounded()) - Int(card[channel])))
        }
      }
    }
    #expect(worst <= 1)
  }
}
