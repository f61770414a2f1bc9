package import Recipes
package import Store

extension Source {
  /// Finished pictures, by digest, and where each lies on a ground, with words.
  package struct Collage: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
      package var digest: Digest
      package var frame: PixelFrame
    }

    package var size: PixelSize
    package var ground: Color
    package var cells: [Cell]
    package var words: Recipes.Collage.Words?

    /// All that decides the picture.
    fileprivate var text: [UInt8] {
      var text = Array("collage:\(size.width)x\(size.height):\(ground.hex)".utf8)
      for cell in cells {
        text += Array("\n\(cell.frame.text):".utf8) + cell.digest.bytes
      }
      guard let words else { return text }
      text += Array("\nwords:\(words.frame.text):\(words.emPixels):\(words.ink.hex)".utf8)
      for part in words.lines + [""] + words.fonts {
        text += Array("\n\(part.utf8.count):\(part)".utf8)
      }
      return text
    }
  }

  /// A collage; the digests of its pictures stand in for their bytes.
  package init(_ collage: Collage) {
    self.init(digest: Digest(of: collage.text), origin: .collage(collage), kind: "collage")
  }
}

extension PixelFrame {
  fileprivate var text: String { "\(x),\(y),\(width)x\(height)" }
}
