package struct PixelSize: Codable, Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var shorterSide: Int { min(width, height) }

  package var rasterBytes: Int { width * height * 4 }
}

package struct PixelFrame: Codable, Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package var size: PixelSize { PixelSize(width: width, height: height) }

  package func fits(_ size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0 && width <= size.width - x
      && height <= size.height - y
  }
}
