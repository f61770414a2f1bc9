import Files
import Imaging
import Recipes

/// The job needs more memory than there is, which says nothing about the picture.
struct OutOfMemory: Error {}

extension WorkerProcess {
  /// One outcome for each recipe; one that fails does not harm the others.
  static func outcomes(
    of request: RenderRequest, with resources: RenderResources
  ) throws(OutOfMemory) -> [RenderOutcome] {
    TestGate.pass("before-decode")
    var picture: Picture
    do throws(Rejection) {
      picture = try Picture(request.source, resources)
    } catch {
      let rejection = try judged(error)
      return request.recipes.map { _ in .rejected(rejection) }
    }
    TestGate.pass("after-decode")
    var outcomes: [RenderOutcome] = []
    outcomes.reserveCapacity(request.recipes.count)
    for recipe in request.recipes {
      do throws(Rejection) {
        outcomes.append(.image(try picture.rendered(recipe) { TestGate.pass("after-draw") }))
      } catch {
        outcomes.append(.rejected(try judged(error)))
      }
    }
    TestGate.pass("after-encode")
    return outcomes
  }
}

extension Picture {
  fileprivate init(
    _ source: RenderRequest.Source, _ resources: RenderResources
  ) throws(Rejection) {
    switch source {
    case .encoded(let bytes, let inspection, let reduction):
      try self.init(
        decoding: bytes, as: inspection, reduction: reduction, resources: resources)
    case .color(let color):
      self.init(color: color, resources: resources)
    case .generated(let generated):
      self.init(generated, resources: resources)
    case .raster(let bytes, let size):
      try self.init(raster: bytes, size: size, resources: resources)
    case .sheet(let files, let sheet):
      try self.init(sheet: sheet, of: files)
    case .collage(let files, let collage):
      try self.init(collage: collage, of: files, resources: resources)
    }
  }
}

/// Throws where a rejection speaks of this machine's memory.
private func judged(_ rejection: Rejection) throws(OutOfMemory) -> Rejection {
  if OutOfMemoryText.occurs(in: rejection.detail) { throw OutOfMemory() }
  return rejection
}
