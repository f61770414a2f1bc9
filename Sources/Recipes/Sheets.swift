/// Finished pictures side by side on one transparent canvas.
///
/// Nothing is scaled, mixed or cut: each part of the sheet has exactly the pixels of its picture.
package struct SpriteSheet: Codable, Hashable, Sendable {
  /// One picture: where its upper left corner lies, and how long its file is.
  package struct Cell: Codable, Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var bytes: Int

    package init(x: Int, y: Int, bytes: Int) {
      (self.x, self.y, self.bytes) = (x, y, bytes)
    }
  }

  /// The most pixels a side.
  package static let limit = 4_096

  /// Of the whole sheet.
  package var size: PixelSize
  /// Of each picture.
  package var cellSize: PixelSize
  /// In the order of the files.
  package var cells: [Cell]

  package init(size: PixelSize, cellSize: PixelSize, cells: [Cell]) {
    (self.size, self.cellSize, self.cells) = (size, cellSize, cells)
  }
}

/// Finished pictures in frames on one opaque ground, and words.
///
/// A picture that is larger than its frame is scaled down to it.
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
      self.lines = lines
      self.frame = frame
      self.emPixels = emPixels
      self.ink = ink
      self.fonts = fonts
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
