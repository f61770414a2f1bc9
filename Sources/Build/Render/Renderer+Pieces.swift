import Plan
import Recipes
import Store

extension Renderer {
  /// Makes the site images that `set` does not know yet.
  ///
  /// - Parameters:
  ///   - siteImages: What is wanted; equal ones are made once.
  ///   - set: Gets what became of each.
  ///   - isDry: Only look up; what is missing is counted.
  ///   - lost: Images that the index knows and the store has lost.
  /// - Throws: As `render`, and `LostImages` for what a site image is made of and the store has lost.
  /// - Returns: How it went; what changed are the numbers of site images that were missing.
  func render(
    _ siteImages: [SiteImage], into set: inout SiteImageSet, isDry: Bool = false,
    lost: Set<Digest> = []
  ) throws -> Outcome {
    var outcome = Outcome()
    var memory = Memory(index: index)
    let (missing, keys) = try lookUp(siteImages.filter { set[$0] == nil }, &set, lost)
    outcome.distinct = Set(siteImages).count
    outcome.missing = missing.count
    if isDry { return outcome }
    var failure: (any Error)?
    var gone: Set<Digest> = []
    let halt = Cancellation()
    let jobs = jobs(for: missing, keys)
    queue.map(
      jobs, as: .render,
      work: { job in
        try halt.check()
        return try runner.run(job.job, isAfresh: !lost.isEmpty)
      },
      receive: { job, result in
        do {
          switch try result.get() {
          case .changed:
            outcome.changed.formUnion(job.siteImages)
            let rejection = Rejection(.changed, "the file keeps changing while it is read")
            for number in job.siteImages { set[missing[number]] = .failure(rejection) }
          case .failed(let rejection):
            outcome.hasTransientFailures = true
            for number in job.siteImages { set[missing[number]] = .failure(rejection) }
          case .finished(let results):
            for (number, result) in zip(job.siteImages, results) {
              set[missing[number]] = result.map(\.asset)
              try memory.remember(keys[number], result)
            }
          }
        } catch let lost as LostImages {
          // All are told at once, so that they are rendered again in one go.
          gone.formUnion(lost.digests)
        } catch {
          if error is CancellationError {
            runner.countEnd()
          } else {
            halt.cancel()
          }
          if failure == nil || failure is CancellationError { failure = error }
        }
      })
    try memory.flush()
    if let failure { throw failure }
    if !gone.isEmpty { throw LostImages(digests: gone) }
    return outcome
  }

  /// Takes what the index knows.
  ///
  /// - Returns: The others, each once, with their keys.
  private func lookUp(
    _ siteImages: [SiteImage], _ set: inout SiteImageSet, _ lost: Set<Digest>
  ) throws -> (missing: [SiteImage], keys: [Digest]) {
    var distinct: [SiteImage] = []
    var asked: Set<SiteImage> = []
    for siteImage in siteImages where asked.insert(siteImage).inserted {
      distinct.append(siteImage)
    }
    let keys = try distinct.map {
      try RenderKey(recipe: $0.recipe, fingerprint: fingerprint).key(of: $0.source.digest)
    }
    let records = ignoresIndex && lost.isEmpty ? [] : try index.get(.renders, keys)
    var missing: [SiteImage] = []
    var missingKeys: [Digest] = []
    for (number, siteImage) in distinct.enumerated() {
      let known = records.isEmpty ? nil : records[number].flatMap(RenderRecord.render)
      switch known {
      case .success(let render)? where !lost.contains(render.asset.digest):
        set[siteImage] = .success(render.asset)
        tally.count(\.cacheHits)
      case .failure(let rejection)?:
        set[siteImage] = .failure(rejection)
        tally.count(\.cacheHits)
      default:
        missing.append(siteImage)
        missingKeys.append(keys[number])
      }
    }
    return (missing, missingKeys)
  }

  /// One job for all site images of a source, or more where they have many pixels.
  private func jobs(
    for missing: [SiteImage], _ keys: [Digest]
  ) -> [(job: RenderJob, siteImages: [Int])] {
    var order: [Digest] = []
    var bySource: [Digest: [Int]] = [:]
    for (number, siteImage) in missing.enumerated() {
      let digest = siteImage.source.digest
      if bySource[digest] == nil { order.append(digest) }
      bySource[digest, default: []].append(number)
    }
    let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    return order.flatMap { digest in
      let numbers = bySource[digest] ?? []
      let recipes = numbers.lazy.map { (recipe: missing[$0].recipe, key: keys[$0]) }
      return RenderJob.jobs(recipes, of: missing[numbers[0]].source, item: numbers[0])
        .map { job in (job, job.keys.compactMap { places[$0] }) }
    }
  }
}
