import SiteSupport

extension TestSite {
  /// Returns the `og:image` of the first page.
  func cardPath() throws -> String? {
    let image = HTMLPage(try text("index.html")).tags("meta")
      .first { $0["property"] == "og:image" }
    return try image.map {
      let address = try #require($0["content"])
      let base = "https://example.org/team/"
      #expect(address.hasPrefix(base))
      return String(address.dropFirst(base.count))
    }
  }

  func card() throws -> PNGReader {
    let card = try PNGReader(folder.read("output/\(try #require(try cardPath()))"))
    #expect(card.width == 1_200 && card.height == 630)
    return card
  }
}

extension PNGReader {
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(pixels[start..<start + 4])
  }

  /// Expects an opaque, uniform background outside the frames.
  func expectGround(_ ground: [UInt8], outside frames: [PixelFrame]) {
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

  /// Expects a picture's pixels here, composited on the background.
  func expect(_ picture: PNGReader, in frame: PixelFrame, on ground: [UInt8]) {
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
