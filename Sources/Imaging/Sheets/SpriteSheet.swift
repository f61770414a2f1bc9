import Foundation
import Magick
import Recipes

extension SpriteSheet {
  /// Decodes the pictures one by one, and copies each to its cell.
  ///
  /// The PNG files lie one behind the other.
  func raster(of files: Data) throws(Rejection) -> Raster {
    guard (1...Self.limit).contains(size.width), (1...Self.limit).contains(size.height),
      cellSize.width > 0, cellSize.height > 0
    else { throw Rejection(.decodeFailed, "a sheet has 1 to \(Self.limit) pixels a side") }
    var bytes = [UInt8](repeating: 0, count: size.rasterBytes)
    var rest = files
    for (number, cell) in cells.enumerated() {
      guard holds(cell), cell.bytes >= 0, cell.bytes <= rest.count else {
        throw Rejection(.decodeFailed, "picture \(number) does not fit its sheet")
      }
      let pixels = try pixels(of: rest.prefix(cell.bytes), number)
      rest = rest.dropFirst(cell.bytes)
      let row = cellSize.width * 4
      for y in 0..<cellSize.height {
        let to = ((cell.y + y) * size.width + cell.x) * 4
        bytes.replaceSubrange(to..<to + row, with: pixels[y * row..<(y + 1) * row])
      }
    }
    return Raster(size: size, bytes: bytes)
  }

  private func holds(_ cell: Cell) -> Bool {
    cell.x >= 0 && cell.y >= 0 && cell.x <= size.width - cellSize.width
      && cell.y <= size.height - cellSize.height
  }

  private func pixels(of file: Data, _ number: Int) throws(Rejection) -> [UInt8] {
    guard try Inspection(inspecting: file) == Inspection(format: .png, size: cellSize) else {
      throw Rejection(.decodeFailed, "picture \(number) is not what its sheet was made for")
    }
    do {
      return try Canvas(decoding: file, coder: Inspection.Format.png.coder).rgba()
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }
}
