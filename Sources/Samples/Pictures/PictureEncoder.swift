package import Foundation
package import Recipes
package import Workers

/// Makes a picture file of a drawing.
///
/// The pixels are ours, but encoders are C code: they run where all of it runs, in workers.
package struct PictureEncoder: Sendable {
  /// Drawing, format, quality (nil where the format has none).
  package var encode: @Sendable (Drawing, OutputFormat, Int?) throws -> Data

  package init(encode: @escaping @Sendable (Drawing, OutputFormat, Int?) throws -> Data) {
    self.encode = encode
  }

  /// The job that asks a worker for the file, pixel for pixel.
  package static func request(
    _ drawing: Drawing, as format: OutputFormat, quality: Int?
  ) -> RenderRequest {
    RenderRequest(
      source: .raster(drawing.bytes, drawing.size),
      recipes: [
        Recipe(
          frame: Frame(base: drawing.size, box: drawing.size, fit: .stretch), outline: .square,
          effects: [], encoding: Encoding(format: format, quality: quality))
      ])
  }
}
