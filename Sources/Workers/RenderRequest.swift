package import Foundation
package import Recipes

/// One job for a worker: one source at one decode scale, and every image wanted from it.
package struct RenderRequest: Sendable {
  package var source: RenderSource
  /// The bytes that belong to the source.
  package var payload: Data
  package var recipes: [Recipe]

  package init(source: RenderSource, payload: Data = Data(), recipes: [Recipe]) {
    self.source = source
    self.payload = payload
    self.recipes = recipes
  }

  /// Whether its source is an SVG.
  var draws: Bool {
    if case .encoded(let inspection, _) = source { inspection.format == .svg } else { false }
  }

  /// How many images its time is measured by.
  var imageCount: Int {
    if case .collage(let collage) = source {
      recipes.count + collage.cells.count
    } else {
      recipes.count
    }
  }
}
