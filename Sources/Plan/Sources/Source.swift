package import Bytes
import Foundation
package import Manifest
package import Recipes

/// What images are made of, and where its bytes are; equal bytes are one source.
package struct Source: Sendable {
  package enum Place: Sendable, Hashable {
    /// What is drawn has no bytes.
    case none
    case file(SourcePath)
    /// Fetched, and kept in the cache.
    case fetched
    /// In the manifest itself.
    case inline(InlinePicture)
    /// Images that the store keeps, one behind the other.
    case images([Digest])
    /// An earlier version of a file: only images that were made of it may still be in the store.
    case gone
  }

  package enum Pixels: Int, Sendable {
    /// A picture that is fitted into its frame.
    case decoded
    /// Drawn in the size of its frame.
    case drawn
    /// One colour, which has nothing to blur either.
    case plain
  }

  /// Of the bytes, or of a text such as `color:#rrggbbaa`.
  package let digest: Digest
  /// As workers get it.
  package let picture: RenderSource
  package let place: Place

  package init(digest: Digest, _ picture: RenderSource, in place: Place = .none) {
    (self.digest, self.picture, self.place) = (digest, picture, place)
  }

  private init(_ text: [UInt8], _ picture: RenderSource, in place: Place = .none) {
    self.init(digest: Digest(of: text), picture, in: place)
  }

  package init(_ inspection: Inspection, digest: Digest, in place: Place) {
    self.init(digest: digest, .encoded(inspection, reduction: 1), in: place)
  }

  package init(color: Color) {
    self.init(Array("color:\(color.hex)".utf8), .color(color))
  }

  /// A drawn picture; its description, with the digests of fonts, replaces the bytes.
  package init(_ generated: Generated) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    self.init(
      Array("generated:".utf8) + [UInt8](try encoder.encode(generated)), .generated(generated))
  }

  /// A collage of finished pictures.
  package init(_ collage: Collage, of images: [Digest]) {
    var text = "collage:\(collage.size.width)x\(collage.size.height):\(collage.ground.hex)".bytes
    for (cell, image) in zip(collage.cells, images) {
      text += "\n\(cell.frame.text):".bytes + image.bytes
    }
    for words in collage.words {
      text += "\nwords:\(words.frame.text):\(words.emPixels):\(words.ink.hex)".bytes
      for part in words.lines + [""] + words.fonts { text += "\n\(part.utf8.count):\(part)".bytes }
    }
    self.init(text, .collage(collage), in: .images(images))
  }

  /// The same for a JPEG that is decoded at a fraction of its size.
  package func reduced(by reduction: Int) -> Source {
    guard let inspection else { return self }
    return Source(digest: digest, .encoded(inspection, reduction: reduction), in: place)
  }

  /// Nil for what is drawn.
  package var inspection: Inspection? {
    if case .encoded(let inspection, _) = picture { inspection } else { nil }
  }

  /// What the recipes of a style do with it.
  package var pixels: Pixels {
    switch picture {
    case .encoded, .raster: .decoded
    case .color: .plain
    case .generated, .collage: .drawn
    }
  }
}

extension String {
  fileprivate var bytes: [UInt8] { Array(utf8) }
}

extension PixelFrame {
  fileprivate var text: String { "\(x),\(y),\(width)x\(height)" }
}
