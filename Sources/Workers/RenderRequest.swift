package import Foundation
package import Recipes

/// One job for a worker: one source at one decode scale, and every image wanted from it.
package struct RenderRequest: Sendable {
  package enum Source: Sendable {
    /// A file's bytes, already inspected; `reduction` is the denominator of the JPEG decode.
    case encoded(Data, Inspection, reduction: Int)
    /// A picture of one colour.
    case color(Color)
    /// A picture that is drawn from its description.
    case generated(Generated)
    /// Raw RGBA, 8 bits a channel, row by row: pictures that our own code drew.
    case raster(Data, PixelSize)
    /// Finished pictures on one canvas: the PNG of each, one behind the other.
    case sheet(Data, SpriteSheet)
    /// Finished pictures and words on one ground: the file of each, one behind the other.
    case collage(Data, Collage)
  }

  package var source: Source
  package var recipes: [Recipe]

  package init(source: Source, recipes: [Recipe]) {
    self.source = source
    self.recipes = recipes
  }

  /// How many images its time is measured by; ten pictures of a sheet are one.
  var imageCount: Int {
    switch source {
    case .sheet(_, let sheet): recipes.count + sheet.cells.count / 10
    case .collage(_, let collage): recipes.count + collage.cells.count
    case .encoded, .color, .generated, .raster: recipes.count
    }
  }
}

/// What became of one recipe of a request, in the order of its recipes.
package enum RenderOutcome: Hashable, Sendable {
  case image(RenderedImage)
  /// The bytes decided this: asking again gives the same.
  case rejected(Rejection)
}
