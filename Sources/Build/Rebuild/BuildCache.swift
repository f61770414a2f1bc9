import Bytes
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store
import Workers

/// What rebuilds keep in memory, and what they show before they are finished.
///
/// It never changes what is built: a build without it makes the same site. It only saves starting
/// workers and reading unchanged files, and shows pictures early.
final class BuildCache: Sendable {
  /// All that rendering a picture needs, while a build is at work.
  struct RenderContext: Sendable {
    var context: BuildContext
    var input: BuildInput
    var resources: BuildResources
    var fingerprint: Fingerprint
    /// The files that were read for these, and the program with its libraries.
    var inputs: Inputs
  }

  /// The outcome of the last finished build.
  struct Last: Sendable {
    var content: SiteContent
    var manifestDigest: Digest
    var resources: BuildResources
    var fingerprint: Fingerprint
    var inputs: Inputs
  }

  private struct State {
    var renderContext: RenderContext?
    /// Left when the build after this one can render, or when none comes.
    var nextBuild: DispatchGroup?
    var input: BuildInput?
    /// The files that were last read for the manifest, even if that failed.
    var read: Inputs?
    var last: Last?
    /// The output as open pages know it.
    var ledger: Ledger?
    var store: BlobStore?
    var provisional: ProvisionalSite?
    /// The output has no pages yet.
    var showsProvisional = false
    /// Absolute paths of what has changed since the last finished build.
    var changes: Set<String> = []
    /// Since the last publish: images that pages may still show, and what they show instead.
    var swaps: [String: String] = [:]
    /// Jobs of superseded builds, for the counters of the next report.
    var superseded = 0

    /// What to tell pages, now that the output is this; nil for nothing.
    mutating func settle(_ now: Ledger, written: [Site.File]) -> RebuildEvent? {
      let isTrue = swaps.values.allSatisfy { now[$0] != nil }
      var changed = Set(written.map(\.path))
      if let ledger { changed.formUnion(now.differences(from: ledger)) }
      ledger = now
      changes = []
      swaps = [:]
      showsProvisional = false
      expectNoBuild()
      if !isTrue { return .published(nil) }
      if changed.isEmpty { return nil }
      return .published(changed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// Ends all waiting for the next build.
    mutating func expectNoBuild() {
      nextBuild?.leave()
      nextBuild = nil
    }
  }

  let pool: WorkerPool
  let network = FetchSession()
  private let tell: @Sendable (RebuildEvent) -> Void
  private let state = Guarded(State())
  /// Pictures that are being made for requests.
  private let requests = DispatchGroup()

  init(
    _ options: BuildOptions, environment: [String: String]?,
    tell: @escaping @Sendable (RebuildEvent) -> Void
  ) {
    pool = WorkerPool(
      program: options.programs.worker, width: options.jobs, memory: options.memory,
      requiresJail: options.requiresJail,
      environment: environment ?? ProcessInfo.processInfo.environment)
    self.tell = tell
  }

  // A group that was entered and not left must not be released.
  deinit { state.withLock { $0.expectNoBuild() } }

  // MARK: Around a build

  /// Files that have changed, by absolute path.
  func note(_ changes: [String]) {
    state.withLock { $0.changes.formUnion(changes) }
  }

  /// A build has begun: shows what can be shown at once.
  func enter(_ context: BuildContext) throws {
    let (last, changes, superseded) = state.withLock { state in
      state.store = context.store
      return (state.last, state.changes, state.superseded)
    }
    context.tally.count(\.superseded, superseded)
    guard let last, !changes.isEmpty else { return }
    do {
      try ChangedPicturesFirst(context, last).run(changes) { tell(.swapped(chained($0))) }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The build meets the same error, and tells it.
    }
  }

  /// A build has ended somehow; waits until requests have their pictures of it.
  func leave(_ context: BuildContext) {
    let gaveWay = context.cancellation.isSuperseded
    state.withLock { state in
      state.renderContext = nil
      if !gaveWay || context.cancellation.signalNumber != 0 { state.expectNoBuild() }
    }
    requests.wait()
    state.withLock { state in
      state.superseded = gaveWay ? context.tally.current.superseded : 0
    }
  }

  /// A build has failed: nothing is published, so pages must drop what was shown early.
  func fail() {
    let isShown = state.withLock { state in
      let isShown = !state.swaps.isEmpty || state.showsProvisional
      state.swaps = [:]
      state.provisional = nil
      state.showsProvisional = false
      state.expectNoBuild()
      return isShown
    }
    if isShown { tell(.published(nil)) }
  }

  /// Whether a build may stop when nothing has changed.
  ///
  /// The first build must not: later ones compare with its content.
  var knowsContent: Bool { state.withLock { $0.last != nil } }

  /// The input of the last build, if no file of it has changed and no list must be asked for.
  func input(_ context: BuildContext) -> BuildInput? {
    guard let input = state.withLock({ $0.input }), input.inputs.areTrustworthy, input.inputs.hold,
      context.now
        < max(input.lists.freshUntil, input.lists.readAt + context.options.fetching.patience)
    else { return nil }
    return input
  }

  /// These files were read for the manifest, successfully or not.
  func note(read inputs: Inputs) {
    state.withLock { $0.read = inputs }
  }

  /// The build can render from now on; shows provisional pages if the output has none.
  func begin(_ renderContext: RenderContext) throws {
    let isEmpty =
      try renderContext.input.manifest.pages.areMade
      && renderContext.context.output.kind(of: "index.html") == nil
    let site =
      isEmpty ? try ProvisionalSite(renderContext.input, renderContext.resources.forStyles) : nil
    state.withLock { state in
      state.input = renderContext.input
      state.renderContext = renderContext
      state.expectNoBuild()
      state.nextBuild = DispatchGroup()
      state.nextBuild?.enter()
      if let site { state.provisional = site }
      state.showsProvisional = isEmpty
    }
    if isEmpty { tell(.provisional) }
  }

  func finish(_ content: SiteContent, _ published: Publisher.Result) {
    let news = state.withLock { state in
      if let renderContext = state.renderContext {
        state.last = Last(
          content: content, manifestDigest: renderContext.input.manifestDigest,
          resources: renderContext.resources, fingerprint: renderContext.fingerprint,
          inputs: renderContext.inputs)
      }
      // Pages from before the first publish have its pictures by now.
      if !state.showsProvisional { state.provisional = nil }
      return state.settle(published.ledger, written: published.changed.entries)
    }
    if let news { tell(news) }
  }

  /// Nothing was to do: no file has changed, or another process has built the site.
  func finishUnchanged(_ context: BuildContext) throws {
    let ledger = try Ledger(in: context.output)
    let news = state.withLock { state in
      // The content of another process's build is not known.
      if state.ledger != ledger { state.last = nil }
      return state.settle(ledger, written: [])
    }
    if let news { tell(news) }
  }

  /// Adds swaps for pages that show an image of an earlier swap.
  private func chained(_ news: [String: String]) -> [String: String] {
    state.withLock { state in
      var all = news
      for (old, shown) in state.swaps {
        if let newest = news[old], newest != shown { all[shown] = newest }
      }
      state.swaps.merge(news) { $1 }
      return all.filter { $0.key != $0.value }
    }
  }

  // MARK: What the output does not have

  func file(_ path: String) -> (bytes: Data, isForEver: Bool)? {
    let (provisional, showsPages) = state.withLock { ($0.provisional, $0.showsProvisional) }
    guard let digest = Digest(assetPath: path) else {
      // Once there is a site, only its own files exist.
      guard showsPages else { return nil }
      return provisional?.page(path).map { ($0, false) }
    }
    let picture = ProvisionalSite.Picture(digest)
    let wanted = picture.map { provisional?.asset(of: $0, by: self)?.digest } ?? digest
    // The store is read last: the build that was waited for may have brought it.
    guard let wanted, let bytes = try? state.withLock(\.store)?.get(wanted) else { return nil }
    return (bytes, picture == nil)
  }

  /// Runs `work` in a build that renders; the build does not end before `work` does.
  ///
  /// Waits at most 15 s for the next build where the current one gave way.
  ///
  /// - Returns: What `work` returns; nil where no build renders.
  func withRenderContext<Result>(_ work: (RenderContext) -> Result?) -> Result? {
    let deadline = DispatchTime.now() + 15
    while true {
      let (current, nextBuild) = state.withLock { state in
        var current = state.renderContext
        if current?.context.cancellation.isCancelled == true { current = nil }
        if current != nil { requests.enter() }
        return (current, state.nextBuild)
      }
      if let current {
        defer { requests.leave() }
        let result = work(current)
        if result != nil || !current.context.cancellation.isSuperseded { return result }
      }
      guard let nextBuild, nextBuild.wait(timeout: deadline) == .success else { return nil }
    }
  }

  /// The content of the last build, if its manifest was this one.
  func lastContent(of manifest: Digest) -> SiteContent? {
    state.withLock { $0.last?.manifestDigest == manifest ? $0.last?.content : nil }
  }

  func watchList(_ options: BuildOptions) -> WatchList {
    let (read, input) = state.withLock { ($0.read, $0.input) }
    return WatchList(options, inputs: read, input?.manifest)
  }
}

/// What open pages have to know, as early as possible.
package enum RebuildEvent: Sendable {
  /// New pictures can be fetched before the site is published: new paths in the output by old ones.
  case swapped([String: String])
  /// There is no site yet, but provisional pages can be fetched.
  case provisional
  /// The sorted paths of changed files of the output; nil where anything may look different, since
  /// something that was shown early was not published.
  case published([String]?)
  case progress(ProgressEvent)
}
