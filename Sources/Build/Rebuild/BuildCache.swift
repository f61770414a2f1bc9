import Files
import Foundation
import Plan
import Recipes
import Store
import Workers

/// What stays in memory from one build to the next, and what a build shows before it is finished.
///
/// Nothing here decides what is built: a build with it and one without it make the same site. It
/// only saves starting workers and reading what has not changed, and lets pictures be seen early.
final class BuildCache: Sendable {
  /// All that a picture can be made with, while a build is at work.
  struct RenderContext: Sendable {
    var context: BuildContext
    var input: BuildInput
    var resources: BuildResources
    var fingerprint: Fingerprint
    /// All that was read for these, and the program with its libraries.
    var inputs: Inputs
  }

  /// What the last finished build came to.
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
    /// What the last reading of the manifest has looked at, also when it failed.
    var read: Inputs?
    var last: Last?
    /// What pages know of the output.
    var ledger: Ledger?
    var store: BlobStore?
    var provisional: ProvisionalSite?
    /// The output has no pages yet.
    var showsProvisional = false
    /// Absolute paths of what has changed since the last finished build.
    var changes: Set<String> = []
    /// What pages may still show, and what is shown instead, since the last publishing.
    var swaps: [String: String] = [:]
    /// Jobs of builds that were superseded, which have told nobody.
    var superseded = 0

    /// What pages have to be told, now that the output is this; nil for nothing.
    mutating func settle(_ now: Ledger, written: Set<String>) -> RebuildEvent? {
      let isTrue = swaps.values.allSatisfy { now[$0] != nil }
      var changed = written
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

    /// Lets go of those who wait for the next build.
    mutating func expectNoBuild() {
      nextBuild?.leave()
      nextBuild = nil
    }
  }

  let pool: WorkerPool
  let network = FetchSession()
  private let tell: @Sendable (RebuildEvent) -> Void
  private let state = Guarded(State())
  /// Pictures that are made for somebody who waits.
  private let requests = DispatchGroup()

  init(
    _ options: BuildOptions, environment: [String: String]?,
    tell: @escaping @Sendable (RebuildEvent) -> Void
  ) {
    pool = WorkerPool(
      program: options.workerProgram, width: options.jobs,
      environment: environment ?? ProcessInfo.processInfo.environment)
    self.tell = tell
  }

  // A group that nobody has left must not be released.
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
      // It is the build that finds out what this means, and says so.
    }
  }

  /// A build has ended, however it did; whoever waits for a picture of it gets that first.
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

  /// A build has failed: nothing is published, so nothing that was shown early is true.
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

  /// Whether a build may stop where it finds that nothing has changed.
  ///
  /// The first one goes all the way, to learn what the next ones change.
  var knowsContent: Bool { state.withLock { $0.last != nil } }

  /// What the user wrote, if it is what it was when it was read.
  func input() -> BuildInput? {
    guard let input = state.withLock({ $0.input }), input.inputs.areTrustworthy, input.inputs.hold
    else { return nil }
    return input
  }

  /// These files were looked at for the manifest, whether that went well or not.
  func note(read inputs: Inputs) {
    state.withLock { $0.read = inputs }
  }

  /// All is ready for the first picture; nothing of it may stand in the output yet.
  func begin(_ renderContext: RenderContext) throws {
    let isEmpty = try renderContext.context.output.kind(of: "index.html") == nil
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
      // Pages that were loaded before the first site stood have its pictures by now.
      if !state.showsProvisional { state.provisional = nil }
      return state.settle(published.ledger, written: published.changed)
    }
    if let news { tell(news) }
  }

  /// Nothing was to do: no file of ours has changed, or somebody else has built the site.
  func finishUnchanged(_ context: BuildContext) throws {
    let ledger = try Ledger(in: context.output)
    let news = state.withLock { state in
      // What another build has made is not known here.
      if state.ledger != ledger { state.last = nil }
      return state.settle(ledger, written: [])
    }
    if let news { tell(news) }
  }

  /// A page may show what it had at first, or what took its place a moment ago.
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
      // Once a site stands, what it does not have is not there.
      guard showsPages else { return nil }
      return provisional?.page(path).map { ($0, false) }
    }
    let picture = ProvisionalSite.Picture(digest)
    let wanted = picture.map { provisional?.asset(of: $0, by: self)?.digest } ?? digest
    // The store may have come with the build that was waited for.
    guard let wanted, let bytes = try? state.withLock(\.store)?.get(wanted) else { return nil }
    return (bytes, picture == nil)
  }

  /// Runs something with what a build renders with, which does not end before that.
  ///
  /// Where the build gave way, the next one is waited for, if it comes within 15 s.
  ///
  /// - Returns: Nil where no build renders, and what `work` has returned.
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

  /// What the last build came to, if it was one of that manifest.
  func lastContent(of manifest: Digest) -> SiteContent? {
    state.withLock { $0.last?.manifestDigest == manifest ? $0.last?.content : nil }
  }

  func watchList(_ options: BuildOptions) -> WatchList {
    let (read, input) = state.withLock { ($0.read, $0.input) }
    return WatchList(options, inputs: read, input?.manifest)
  }
}

extension Digest {
  /// Of an image by its path in the output.
  init?(assetPath path: String) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("assets".utf8) else { return nil }
    let words = parts[2].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard words.count == 2, let name = words.first, name.count == 64,
      parts[1].elementsEqual(name.prefix(2)),
      OutputFormat.allCases.contains(where: { words[1].elementsEqual($0.fileExtension.utf8) })
    else { return nil }
    self.init(hex: String(decoding: name, as: UTF8.self))
  }
}

/// What happens while somebody watches, as soon as it can be seen.
package enum RebuildEvent: Sendable {
  /// Pictures are made anew and can be had, though the site is not published yet: old paths beneath
  /// the output, and the new ones.
  case swapped([String: String])
  /// Where no site stands yet, pages can be had that show what will be there.
  case provisional
  /// Files of the output are others now: their paths, sorted; nil where more than these may look
  /// different, since what was shown before has not come true.
  case published([String]?)
  case progress(ProgressEvent)
}
