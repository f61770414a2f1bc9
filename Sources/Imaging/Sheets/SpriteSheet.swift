/// Finished pictures side by side on one transparent canvas.
///
/// Where each lies was decided before; nothing is scaled, mixed or cut, so that the part of the
/// sheet under a picture has exactly its pixels.
package struct SpriteSheet: Codable, Hashable, Sendable {
  /// One picture: where its upper left corner lies, and how long its file is.
  package struct Cell: Codable, Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var bytes: Int

    package init(x: Int, y: Int, bytes: Int) {
      self.x = x
      self.y = y
      self.bytes = bytes
    }
  }

  /// Pixels: what no sheet is wider or higher than.
  package static let limit = 4_096

  /// Of the whole sheet.
  package var size: PixelSize
  /// Of each picture.
  package var cellSize: PixelSize
  /// In the order of the files.
  package var cells: [Cell]

  package init(size: PixelSize, cellSize: PixelSize, cells: [Cell]) {
    self.size = size
    self.cellSize = cellSize
    self.cells = cells
  }
}
