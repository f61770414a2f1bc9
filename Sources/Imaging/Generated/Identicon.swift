/// A symmetric pattern of coloured squares.
package struct Identicon: Codable, Hashable, Sendable {
  /// Indices into the colours, row by row, `side` × `side`.
  package var cells: [UInt8]
  package var side: Int
  /// Two or three; the first is the ground.
  package var colors: [Color]

  package init(cells: [UInt8], side: Int, colors: [Color]) {
    self.cells = cells
    self.side = side
    self.colors = colors
  }

  func raster(size: PixelSize) -> Raster {
    Raster(size: size, filledWith: colors[0])
  }
}
