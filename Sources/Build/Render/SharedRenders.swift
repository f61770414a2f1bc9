import Bytes
import Foundation
import Recipes
import Store
import Workers

/// Images of whole jobs in a store that machines share.
///
/// A job is one object, since its images are wanted together and each request costs time. The object
/// is the answer of a worker, and trusted as little: every image is walked, and must have the format
/// and size of its recipe.
struct SharedRenders: Sendable {
  let store: SharedStore

  /// What another machine has made of a job; nil if none has, or if it is not sound.
  func outcomes(of job: RenderJob) -> [RenderOutcome]? {
    let key = Self.key(of: job)
    guard let bytes = store.get(key) else { return nil }
    if let files = ActionResult(bytes)?.files, files.count == 1, files[0].path == key.hex,
      let outcomes = try? AnswerMessage.outcomes(
        of: files[0].contents ?? Data(), recipes: job.recipes),
      Self.areImages(outcomes)
    {
      return outcomes
    }
    store.distrust(key)
    return nil
  }

  /// Says which jobs will be asked for.
  func announce(_ jobs: [RenderJob]) { store.announce(jobs.map(Self.key)) }

  /// Keeps what a worker has made, and calls `done` if that worked.
  ///
  /// Rejections are each machine's own.
  func keep(
    _ outcomes: [RenderOutcome], of job: RenderJob, done: @escaping @Sendable () -> Void
  ) {
    guard Self.areImages(outcomes) else { return }
    let key = Self.key(of: job)
    let contents = AnswerMessage(outcomes, limit: .max).bytes
    // The key as the file's name, since a sound object may lie in another's place.
    store.put(
      ActionResult([ActionResult.File(path: key.hex, contents: contents)]).bytes, as: key,
      done: done)
  }

  private static func areImages(_ outcomes: [RenderOutcome]) -> Bool {
    outcomes.allSatisfy { if case .image = $0 { true } else { false } }
  }

  /// The keys of its images, which name source, recipes and renderer.
  private static func key(of job: RenderJob) -> Digest {
    var stream = DigestStream()
    stream.update(Array("sitegen images 1\n".utf8))
    for key in job.keys { stream.update(key.bytes) }
    return stream.finish()
  }
}
