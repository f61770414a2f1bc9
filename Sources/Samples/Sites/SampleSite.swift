package import Files
package import Foundation
package import Recipes
package import Workers

/// A folder that `sitegen build` turns into a gallery: texts, and pictures still to be drawn.
package struct SampleSite: Sendable {
  /// Runs the body for every number below the count, in any order, perhaps at the same time.
  package typealias ForEach =
    @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Void

  /// Paths are relative to the folder.
  package var texts: [(path: String, text: String)]
  package var pictureCount: Int
  /// Describes one picture at a time, so a large site is never in memory.
  package let picture: @Sendable (Int) -> SamplePicture

  /// Writes pictures first and texts last, so that a folder with a manifest is complete.
  ///
  /// `encode` has a worker make a file: encoders are C code.
  package func write(
    to folder: Folder, encode: @escaping @Sendable (RenderRequest) throws -> Data,
    forEach: ForEach
  ) throws {
    let picture = picture
    try forEach(pictureCount) { index in
      let picture = picture(index)
      try folder.write(try picture.file(encode), to: picture.path)
    }
    for (path, text) in texts { try folder.write(Array(text.utf8), to: path) }
  }
}

/// One picture file of a sample site: what is drawn, and how it is stored.
package struct SamplePicture: Hashable, Sendable {
  /// Relative to the folder of the site.
  package let path: String
  package let portrait: Portrait
  /// Pixels, as a viewer sees it.
  package let size: PixelSize
  package let format: OutputFormat
  package var isTransparent = false
  /// Whether the file, a JPEG, stores it turned and says so in EXIF.
  package var liesOnItsSide = false

  /// The bytes of the file, made by a worker.
  func file(_ encode: (RenderRequest) throws -> Data) throws -> Data {
    let drawing = portrait.drawn(at: size, isTransparent: isTransparent)
    guard liesOnItsSide else { return try encode(drawing.request(as: format)) }
    return Self.marked(jpeg: try encode(drawing.lyingOnItsSide().request(as: format)))
  }

  /// The JPEG file with an EXIF block in front that asks viewers for a quarter turn clockwise.
  package static func marked(jpeg: Data) -> Data {
    precondition(jpeg.starts(with: [0xFF, 0xD8]), "a JPEG file starts so")
    // Big-endian TIFF with one directory of one entry: tag 0x0112, type short, count 1, value 6.
    let exif: [UInt8] =
      Array("Exif\0\0".utf8) + Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0, 0, 0, 0]
    let length = exif.count + 2
    return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
      + jpeg.dropFirst(2)
  }
}
