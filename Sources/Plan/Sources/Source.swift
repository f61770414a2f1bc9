package import Bytes
import Foundation
package import Manifest
package import Recipes

/// One picture's worth of bytes, a colour, or what to draw.
///
/// Equal bytes are one source, whatever they are called.
package struct Source: Sendable {
  /// What is rare is kept apart: there may be a million of these.
  package enum Origin: Sendable, Hashable {
    case file(SourcePath)
    case color(Color)
    indirect case generated(Generated)
    /// Fetched, and kept in the cache.
    case fetched
    /// A file as it was: its bytes are gone, images that were made of them may be in the store.
    case earlier
    /// From the manifest itself.
    indirect case inline(InlinePicture)
    /// Images that users got; never a user's own source.
    indirect case sheet(Sheet)
    /// The same, with words.
    indirect case collage(Collage)

    /// What the recipes of a style do with it.
    package var pixels: Pixels {
      switch self {
      case .file, .fetched, .earlier, .inline: .decoded
      case .color: .plain
      case .generated, .sheet, .collage: .drawn
      }
    }
  }

  package enum Pixels: Int, CaseIterable, Sendable {
    /// A picture that is fitted into its frame.
    case decoded
    /// Drawn in the size of its frame.
    case drawn
    /// One colour, which has nothing to blur either.
    case plain
  }

  /// Of the bytes, or of a text such as `color:#rrggbbaa`.
  package var digest: Digest
  package var origin: Origin
  /// What the manifest calls its kind; never a path or an address.
  package var kind: String
  /// Nil for what has no bytes.
  package var inspection: Inspection?

  package init(digest: Digest, origin: Origin, kind: String, inspection: Inspection? = nil) {
    self.digest = digest
    self.origin = origin
    self.kind = kind
    self.inspection = inspection
  }
}

extension Source {
  /// A picture of one colour; its name stands in for the bytes it does not have.
  package init(color: Color) {
    self.init(
      digest: Digest(of: Array("color:\(color.hex)".utf8)), origin: .color(color), kind: "color")
  }

  /// A drawn picture; its description, fonts by digest included, stands in for bytes.
  package init(_ generated: Generated, kind: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let text = Array("generated:".utf8) + [UInt8](try encoder.encode(generated))
    self.init(digest: Digest(of: text), origin: .generated(generated), kind: kind)
  }
}

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
    package var words: [Recipes.Collage.Words]

    /// All that decides the picture.
    fileprivate var text: [UInt8] {
      var text = Array("collage:\(size.width)x\(size.height):\(ground.hex)".utf8)
      for cell in cells {
        text += Array("\n\(cell.frame.text):".utf8) + cell.digest.bytes
      }
      for words in words {
        text += Array("\nwords:\(words.frame.text):\(words.emPixels):\(words.ink.hex)".utf8)
        for part in words.lines + [""] + words.fonts {
          text += Array("\n\(part.utf8.count):\(part)".utf8)
        }
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
