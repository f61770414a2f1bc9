package import Recipes
package import Store

extension Source {
  /// Finished pictures of one size, by digest, and where each lies on a sheet.
  package struct Sheet: Hashable, Sendable {
    package struct Cell: Hashable, Sendable, BitwiseCopyable {
      package var digest: Digest
      package var x: Int32
      package var y: Int32
    }

    /// Of the whole sheet, in pixels.
    package var size: PixelSize
    package var cellSize: PixelSize
    package var cells: [Cell]

    /// All that decides the sheet.
    fileprivate var text: [UInt8] {
      var text = Array(
        "sheet:\(size.width)x\(size.height):\(cellSize.width)x\(cellSize.height)".utf8)
      for cell in cells {
        text += Array("\n\(cell.x),\(cell.y):".utf8) + cell.digest.bytes
      }
      return text
    }
  }

  /// A sheet of pictures; their digests stand in for its bytes.
  package init(_ sheet: Sheet) {
    self.init(digest: Digest(of: sheet.text), origin: .sheet(sheet), kind: "sheet")
  }
}
