import Files
import Foundation
import Store
import Workers

/// What stays in memory from one build to the next, and what a build shows before it is finished.
///
/// Nothing here decides what is built: a build with a resident and one without it make the same
/// site. It only saves starting workers and reading what has not changed, and lets pictures be seen
/// early.
final class Resident: Sendable {
  /// All that a picture can be made with, while a build is at work.
  struct Bench: Sendable {
    var place: Workplace
    var brief: Brief
    var provisions: Provisions
    var fingerprint: Fingerprint
  }

  /// What the last finished build came to.
  struct Last: Sendable {
    var content: SiteContent
    var provisions: Provisions
    var fingerprint: Fingerprint
    var inputs: Inputs
  }

  private struct State {
    var bench: Bench?
    var brief: Brief?
    var last: Last?
    var store: BlobStore?
    var provisional: ProvisionalSite?
    /// Absolute paths of what has changed since the last finished build.
    var changes: Set<String> = []
    /// What pages may still show, and what is shown instead, since the last publishing.
    var swaps: [String: String] = [:]
    /// Jobs of builds that were superseded, which have told nobody.
    var superseded = 0
  }

  let pool: WorkerPool
  private let tell: @Sendable (RebuildEvent) -> Void
  private let state = Guarded(State())
  /// Pictures that are made for somebody who waits.
  private let errands = DispatchGroup()

  init(
    _ options: BuildOptions, environment: [String: String]?,
    tell: @escaping @Sendable (RebuildEvent) -> Void
  ) {
    pool = WorkerPool(
      program: options.workerProgram, width: options.jobs,
      environment: environment ?? ProcessInfo.processInfo.environment)
    self.tell = tell
  }

  // MARK: Around a build

  /// Files that have changed, by absolute path.
  func note(_ changes: [String]) {
    state.withLock { $0.changes.formUnion(changes) }
  }

  /// A build has begun: shows what can be shown at once.
  func enter(_ place: Workplace) throws {
    let (last, changes, superseded) = state.withLock { state in
      state.store = place.store
      return (state.last, state.changes, state.superseded)
    }
    place.tally.count(\.superseded, superseded)
    guard let last, !changes.isEmpty else { return }
    let swaps = try Express(place, last).swaps(changes)
    if !swaps.isEmpty { tell(.swapped(chained(swaps))) }
  }

  /// A build has ended, however it did; whoever waits for a picture of it gets that first.
  func leave(_ place: Workplace) {
    state.withLock { $0.bench = nil }
    errands.wait()
    state.withLock { state in
      state.superseded = place.cancellation.isSuperseded ? place.tally.current.superseded : 0
    }
  }

  /// Whether a build may stop where it finds that nothing has changed.
  ///
  /// The first one goes all the way, to learn what the next ones change.
  var knowsContent: Bool { state.withLock { $0.last != nil } }

  /// What the user wrote, if it is what it was when it was read.
  func brief() -> Brief? {
    guard let brief = state.withLock({ $0.brief }), brief.inputs.areTrustworthy, brief.inputs.hold
    else { return nil }
    return brief
  }

  /// All is ready for the first picture; nothing of it may stand in the output yet.
  func begin(_ place: Workplace, _ brief: Brief, _ provisions: Provisions, _ mark: Fingerprint)
    throws
  {
    state.withLock { state in
      state.brief = brief
      state.bench = Bench(
        place: place, brief: brief, provisions: provisions, fingerprint: mark)
    }
    guard try place.output.kind(of: "index.html") == nil else { return }
    let site = try ProvisionalSite(brief, provisions.materials)
    state.withLock { $0.provisional = site }
    tell(.provisional)
  }

  func finish(_ content: SiteContent, published paths: Set<String>) {
    let isNews = state.withLock { state in
      // Pages that were loaded before the first site stood have its pictures by now.
      if state.last != nil { state.provisional = nil }
      if let bench = state.bench {
        state.last = Last(
          content: content, provisions: bench.provisions, fingerprint: bench.fingerprint,
          inputs: bench.brief.inputs)
      }
      state.changes = []
      state.swaps = [:]
      return !paths.isEmpty
    }
    if isNews { tell(.published(paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })) }
  }

  /// Nothing was to do: what has changed was no file of ours.
  func finishUnchanged() {
    state.withLock { state in
      state.changes = []
      state.swaps = [:]
    }
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

  // MARK: Standing in

  /// A file that the output does not have.
  func file(_ path: String) -> StandInFile? {
    let (store, provisional, isFinished) = state.withLock {
      ($0.store, $0.provisional, $0.last != nil)
    }
    guard let digest = Digest(assetPath: path) else {
      // Once a site stands, what it does not have is not there.
      return isFinished
        ? nil : provisional?.page(path).map { StandInFile(bytes: $0, isForEver: false) }
    }
    if let picture = ProvisionalSite.Picture(digest) {
      return picture.made(by: self, provisional).map { StandInFile(bytes: $0, isForEver: false) }
    }
    guard let bytes = try? store?.get(digest) else { return nil }
    return StandInFile(bytes: [UInt8](bytes), isForEver: true)
  }

  /// Runs something with a build's bench while there is one; the build does not end before it.
  func withBench<Result>(_ work: (Bench) throws -> Result) rethrows -> Result? {
    let bench = state.withLock { state in
      if state.bench != nil { errands.enter() }
      return state.bench
    }
    guard let bench else { return nil }
    defer { errands.leave() }
    return try work(bench)
  }

  var lastContent: SiteContent? { state.withLock { $0.last?.content } }

  func bytes(of digest: Digest) -> [UInt8]? {
    let store = state.withLock { $0.store }
    return (try? store?.get(digest)).map { [UInt8]($0) }
  }

  /// The folders and files whose changes matter, as absolute paths.
  func places(_ options: BuildOptions) -> [String] {
    WatchList(options, inputs: state.withLock { $0.brief?.inputs }, lastContent).places
  }
}

extension Digest {
  /// Of an image by its path in the output.
  init?(assetPath path: String) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("assets".utf8),
      let name = parts[2].split(separator: UInt8(ascii: ".")).first, name.count == 64,
      parts[1].elementsEqual(name.prefix(2))
    else { return nil }
    self.init(hex: String(decoding: name, as: UTF8.self))
  }
}
