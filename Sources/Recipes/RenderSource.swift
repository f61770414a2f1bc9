/// What images are made from; the bytes that belong to it travel beside it.
package enum RenderSource: Codable, Hashable, Sendable {
  /// An inspected file; `reduction` is the denominator of the JPEG decode.
  case encoded(Inspection, reduction: Int)
  /// One colour, without bytes.
  case color(Color)
  /// A description to draw from, without bytes.
  case generated(Generated)
  /// Pixels that our own code drew: RGBA, 8 bits a channel, row by row.
  case raster(PixelSize)
  /// Finished pictures and words on one ground: the file of each, one behind the other.
  case collage(Collage)
}

/// A picture that is drawn from a description, in any size.
package enum Generated: Codable, Hashable, Sendable {
  case initials(Initials)
  case identicon(Identicon)
  case strip(Strip)
}

/// Letters on a plain ground.
package struct Initials: Codable, Hashable, Sendable {
  /// One or two grapheme clusters.
  package var text: String
  package var ink: Color
  package var ground: Color
  /// Digests of the fonts to try, in this order, by which `RenderResources` knows them.
  package var fonts: [String]

  package init(text: String, ink: Color, ground: Color, fonts: [String]) {
    (self.text, self.ink, self.ground, self.fonts) = (text, ink, ground, fonts)
  }
}

/// A symmetric pattern of coloured squares.
package struct Identicon: Codable, Hashable, Sendable {
  /// Indices into the colours, row by row, `side` × `side`.
  package var cells: [UInt8]
  package var side: Int
  /// Two or three; the first is the ground.
  package var colors: [Color]

  package init(cells: [UInt8], side: Int, colors: [Color]) {
    (self.cells, self.side, self.colors) = (cells, side, colors)
  }
}

/// The soft shadow of a long straight edge; it depends only on the distance to the edge.
///
/// Lengths are points, which the size of the picture converts to pixels. All columns are equal, so
/// one is enough for a picture that repeats.
package struct Strip: Codable, Hashable, Sendable {
  package var color: Color
  /// The standard deviation of the blur.
  package var radius: Double
  /// How far the shadow is moved down.
  package var offset: Double
  /// Height of the whole picture.
  package var height: Int
  /// Whether the shadow lies above the edge and ends there; otherwise it begins there.
  package var isAbove: Bool

  package init(color: Color, radius: Double, offset: Double, height: Int, isAbove: Bool) {
    (self.color, self.radius, self.offset) = (color, radius, offset)
    (self.height, self.isAbove) = (height, isAbove)
  }
}

/// Finished pictures in frames on one ground, and words.
///
/// A picture that is larger than its frame is scaled down to it. A sheet of sprites is a collage on a
/// transparent ground in which each frame has the size of its picture.
package struct Collage: Codable, Hashable, Sendable {
  /// One picture: its frame, and how long its file is.
  package struct Cell: Codable, Hashable, Sendable {
    package var frame: PixelFrame
    package var bytes: Int

    package init(frame: PixelFrame, bytes: Int) {
      self.frame = frame
      self.bytes = bytes
    }
  }

  /// Lines that are centred in a frame and never leave it.
  package struct Words: Codable, Hashable, Sendable {
    package var lines: [String]
    package var frame: PixelFrame
    /// The size of the letters; smaller where the frame is too narrow for them.
    package var emPixels: Int
    package var ink: Color
    /// Digests of the fonts to try, in this order, by which `RenderResources` knows them.
    package var fonts: [String]

    package init(
      lines: [String], frame: PixelFrame, emPixels: Int, ink: Color, fonts: [String]
    ) {
      (self.lines, self.frame, self.emPixels) = (lines, frame, emPixels)
      (self.ink, self.fonts) = (ink, fonts)
    }
  }

  /// What all files of one may have together: a worker takes 72 MiB at once.
  package static let bytes: Int64 = 48 << 20

  /// Of the whole picture.
  package var size: PixelSize
  package var ground: Color
  /// In the order of the files.
  package var cells: [Cell]
  package var words: [Words]

  package init(size: PixelSize, ground: Color, cells: [Cell], words: [Words] = []) {
    (self.size, self.ground, self.cells, self.words) = (size, ground, cells, words)
  }
}

extension PixelSize {
  /// Whether a worker makes a collage of this size: 256 MB for ImageMagick.
  package var fitsCollage: Bool {
    (1...16_384).contains(width) && (1...16_384).contains(height) && width * height <= 32_000_000
  }
}
