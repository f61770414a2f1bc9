package import Bytes
import Foundation
package import Manifest
package import Recipes

/// A source of images: the input for rendering, and the place where its bytes are stored.
package struct Source: Sendable {
  package enum Place: Sendable, Hashable {
    case none
    case file(SourcePath)
    case fetched
    case inline(InlinePicture)
    /// Concatenated images from the store.
    case images([Digest])
    /// A file that has changed; only images already rendered from its earlier version can be used.
    case gone
  }

  /// The digest of the bytes, or of a text such as `color:#rrggbbaa`.
  package let digest: Digest
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

  package init(_ generated: Generated) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    self.init(
      Array("generated:".utf8) + [UInt8](try encoder.encode(generated)), .generated(generated))
  }

  package init(_ collage: Collage, of images: [Digest]) {
    var text = "collage-2:\(collage.size.width)x\(collage.size.height):\(collage.ground.hex)".bytes
    for (cell, image) in zip(collage.cells, images) {
      text += "\n\(cell.frame.text):".bytes + image.bytes
    }
    for words in collage.words {
      text += "\nwords:\(words.frame.text):\(words.emPixels):\(words.ink.hex)".bytes
      for part in words.lines + [""] + words.fonts { text += "\n\(part.utf8.count):\(part)".bytes }
    }
    self.init(text, .collage(collage), in: .images(images))
  }

  /// Returns a copy that is decoded at 1/`reduction` of its size; only encoded sources change.
  package func reduced(by reduction: Int) -> Source {
    guard let inspection else { return self }
    return Source(digest: digest, .encoded(inspection, reduction: reduction), in: place)
  }

  package var inspection: Inspection? {
    if case .encoded(let inspection, _) = picture { inspection } else { nil }
  }

  /// Whether the picture is drawn at the requested size instead of being scaled.
  package var isDrawn: Bool {
    switch picture {
    case .encoded, .raster: false
    case .color, .generated, .collage: true
    }
  }
}

extension String {
  fileprivate var bytes: [UInt8] { Array(utf8) }
}

extension PixelFrame {
  fileprivate var text: String { "\(x),\(y),\(width)x\(height)" }
}
