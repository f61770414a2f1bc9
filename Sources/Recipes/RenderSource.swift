/// The source of an image, without its bytes, which are transferred separately.
package enum RenderSource: Codable, Hashable, Sendable {
  /// An inspected file, which is decoded at 1/`reduction` of its size.
  case encoded(Inspection, reduction: Int)
  case color(Color)
  case generated(Generated)
  /// Pixels drawn by sitegen: RGBA, 8 bits per channel, row by row.
  case raster(PixelSize)
  /// A collage; its bytes are the concatenated files of its pictures.
  case collage(Collage)
}

package enum Generated: Codable, Hashable, Sendable {
  case initials(Initials)
  case identicon(Identicon)
  case strip(Strip)
}

package struct Initials: Codable, Hashable, Sendable {
  package var text: String
  package var ink: Color
  package var ground: Color
  /// The digests of the fonts in `RenderResources`, in fallback order.
  package var fonts: [String]

  package init(text: String, ink: Color, ground: Color, fonts: [String]) {
    (self.text, self.ink, self.ground, self.fonts) = (text, ink, ground, fonts)
  }
}

package struct Identicon: Codable, Hashable, Sendable {
  /// An index into `colors` for each of the `side` × `side` cells, row by row.
  package var cells: [UInt8]
  package var side: Int
  /// Two or three colours; the first is the background.
  package var colors: [Color]

  package init(cells: [UInt8], side: Int, colors: [Color]) {
    (self.cells, self.side, self.colors) = (cells, side, colors)
  }
}

/// The soft shadow of a long straight edge; all columns are identical, and lengths are in points.
package struct Strip: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  package var offset: Double
  package var height: Int
  /// Whether the shadow is above the edge rather than below it.
  package var isAbove: Bool

  package init(color: Color, radius: Double, offset: Double, height: Int, isAbove: Bool) {
    (self.color, self.radius, self.offset) = (color, radius, offset)
    (self.height, self.isAbove) = (height, isAbove)
  }
}

/// Pictures and text on a single background; a picture larger than its frame is scaled down.
package struct Collage: Codable, Hashable, Sendable {
  package struct Cell: Codable, Hashable, Sendable {
    package var frame: PixelFrame
    package var bytes: Int

    package init(frame: PixelFrame, bytes: Int) {
      self.frame = frame
      self.bytes = bytes
    }
  }

  package struct Words: Codable, Hashable, Sendable {
    package var lines: [String]
    package var frame: PixelFrame
    /// The font size in pixels, which is reduced if the frame is too narrow.
    package var emPixels: Int
    package var ink: Color
    package var fonts: [String]

    package init(lines: [String], frame: PixelFrame, emPixels: Int, ink: Color, fonts: [String]) {
      (self.lines, self.frame, self.emPixels) = (lines, frame, emPixels)
      (self.ink, self.fonts) = (ink, fonts)
    }
  }

  /// The maximum total size of the files in bytes; a worker accepts 72 MiB per job.
  package static let bytes: Int64 = 48 << 20

  package var size: PixelSize
  package var ground: Color
  /// The cells of the pictures, in the order of the files.
  package var cells: [Cell]
  package var words: [Words]

  package init(size: PixelSize, ground: Color, cells: [Cell], words: [Words] = []) {
    (self.size, self.ground, self.cells, self.words) = (size, ground, cells, words)
  }
}

extension PixelSize {
  /// Whether a worker can render a collage of this size; 32 million pixels may take 256 MB.
  package var fitsCollage: Bool {
    (1...16_384).contains(width) && (1...16_384).contains(height) && width * height <= 32_000_000
  }
}
