package import Foundation
package import Recipes

/// One job for a worker: one source at one decode scale, and every image wanted from it.
package struct RenderRequest: Sendable {
  package enum Source: Codable, Sendable {
    /// A file, already inspected; `reduction` is the denominator of the JPEG decode.
    case encoded(Inspection, reduction: Int)
    /// A picture of one colour.
    case color(Color)
    /// A picture that is drawn from its description.
    case generated(Generated)
    /// Raw RGBA, 8 bits a channel, row by row: pictures that our own code drew.
    case raster(PixelSize)
    /// Finished pictures on one canvas.
    case sheet(SpriteSheet)
    /// Finished pictures and words on one ground.
    case collage(Collage)
  }

  package var source: Source
  /// The bytes of the file, the raster, or the files that a sheet or a collage is made of, one
  /// behind the other.
  package var payload: Data
  package var recipes: [Recipe]

  package init(source: Source, payload: Data = Data(), recipes: [Recipe]) {
    self.source = source
    self.payload = payload
    self.recipes = recipes
  }

  /// How many images its time is measured by; ten pictures of a sheet are one.
  var imageCount: Int {
    switch source {
    case .sheet(let sheet): recipes.count + sheet.cells.count / 10
    case .collage(let collage): recipes.count + collage.cells.count
    default: recipes.count
    }
  }
}

/// What became of one recipe of a request, in the order of its recipes.
package enum RenderOutcome: Hashable, Sendable {
  case image(RenderedImage)
  /// The bytes decided this: asking again gives the same.
  case rejected(Rejection)
}
