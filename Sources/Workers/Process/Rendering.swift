import Files
import Foundation
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
      picture = try Picture(request.source, request.payload, resources: resources)
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

/// Throws where a rejection speaks of this machine's memory.
private func judged(_ rejection: Rejection) throws(OutOfMemory) -> Rejection {
  if OutOfMemoryText.occurs(in: rejection.detail) { throw OutOfMemory() }
  return rejection
}
