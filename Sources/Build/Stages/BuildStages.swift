import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store
import Workers

/// The loop that gathers, plans and renders until every user has a picture or is out of sources.
///
/// Failures make users pending again. If a source cannot be rendered, its users move to their next
/// source. Changed files are read again, and missing images are rendered again.
struct BuildStages {
  private let context: BuildContext
  private let gatherer: Gatherer
  private let renderer: Renderer
  private let styleResources: StyleResources
  private var search: PictureSearch
  private(set) var content: SiteContent
  var hasTransientFailures: Bool {
    mayBeBetterNextTime || context.tally.hasTransientFailures
  }
  private var mayBeBetterNextTime = false
  /// Sources that have changed once while being read.
  private var changedWhileReading: Set<SourceKey> = []
  /// Images that are missing from the store; each is re-rendered once.
  private var lost: Set<Digest> = []
  /// Whether diagnostics created before publishing may be outdated.
  var hasRetried: Bool { !lost.isEmpty }
  /// In a dry run, the number of images that a build would render.
  private var missing = 0

  init(
    _ context: BuildContext, manifest: Manifest, resources: BuildResources, fingerprint: Fingerprint
  ) throws {
    self.context = context
    styleResources = StyleResources(badges: resources.badges, detector: resources.detector)
    let files = FileSource(
      folder: context.manifestFolder, allowOutside: manifest.allowOutside,
      photoFolder: manifest.photoFolder)
    var manifest = manifest
    search = PictureSearch(files)
    for user in manifest.users.indices { search.correct(&manifest.users[user]) }
    mayBeBetterNextTime = search.hasMissing
    gatherer = Gatherer(
      files: files, root: Inputs.fromRoot(context.manifestFolder.path), index: context.index,
      queue: context.queue, tally: context.tally, fonts: resources.fonts,
      remote: RemoteSources(context, manifest))
    renderer = Renderer(context: context, files: files, fingerprint: fingerprint.text)
    content = SiteContent(manifest, styleResources)
    content.fonts = resources.writtenFonts(manifest)
  }

  mutating func resolveAll() throws {
    while !content.pending.isEmpty {
      try gatherPeople()
      let (jobs, wanted) = content.plan()
      let outcome = try renderer.render(
        jobs, into: &content, lost: lost, progress: context.progress)
      note(outcome)
      if lost.isEmpty { context.tally.count(\.deduped, wanted - outcome.distinct) }
      try tryNextSources()
      gatherAgain(outcome.changed)
    }
  }

  mutating func gatherPeople() throws {
    try gatherer.gather(&content, ignoringCache: changedWhileReading)
  }

  mutating func gatherIcon() throws {
    guard let icon = content.manifest.exports.icons, content.sources[icon.key] == nil else {
      return
    }
    try gatherer.gather([icon.key], into: &content.sources, ignoringCache: changedWhileReading)
  }

  private mutating func note(_ outcome: Renderer.Outcome) {
    missing += outcome.missing
    mayBeBetterNextTime = mayBeBetterNextTime || outcome.hasTransientFailures
  }

  private mutating func tryNextSources() throws {
    var rejections: [Int: Rejection] = [:]
    var damaged: Set<Int> = []
    for user in content.pending {
      guard let number = content.assignments[user].source, !damaged.contains(number)
      else { continue }
      let source = content.sources.sources[number]
      let variants = content.variants.known(of: content.manifest.users[user], source)
      guard let rejection = content.rejection(of: number, in: variants) else { continue }
      if let key = content.key(of: user), !changedWhileReading.contains(key),
        try gatherer.findLastGood(
          for: key, insteadOf: source.digest, rejection, in: &content.sources)
      {
        damaged.insert(number)
      } else {
        rejections[user] = rejection
      }
    }
    content.assignNext(after: rejections)
    content.reconsider(sources: damaged)
  }

  /// Gathers changed sources again; a source that changes twice is rejected.
  private mutating func gatherAgain(_ changed: Set<Digest>) {
    guard !changed.isEmpty else { return }
    let (keys, sources) = content.sources.forget(changed)
    for key in keys where !changedWhileReading.insert(key).inserted {
      mayBeBetterNextTime = true
      content.sources.add(
        .failure(Rejection(.changed, "it keeps changing while it is read")), for: key)
    }
    content.reconsider(sources: sources)
  }

  func recordLastGood() throws {
    var verified: [SourcePath: Digest] = [:]
    for user in content.manifest.users.indices {
      guard case .file(let path) = content.candidate(of: user),
        content.sources.unverified.contains(path), !content.assignments[user].isStale,
        let source = content.source(of: user)
      else { continue }
      verified[path] = source.digest
    }
    if let key = content.manifest.exports.icons?.key, case .file(let path) = key.source,
      content.sources.unverified.contains(path), content.siteImageFailures.isEmpty,
      case .success(let source) = content.sources[key]
    {
      verified[path] = content.sources.sources[source].digest
    }
    try gatherer.recordLastGood(verified.map { ($0.key, $0.value) })
  }

  /// Renders images that do not belong to a user: button bitmaps, icons and sprite sheets.
  mutating func makeSiteImages() throws {
    let list = try retrying { try $0.renderSiteImages() }
    missing += list.unknown
    context.tally.count(\.deduped, list.siteImages.count - Set(list.siteImages).count)
  }

  private mutating func renderSiteImages() throws -> SiteImageList {
    while true {
      try gatherIcon()
      let list = SiteImageList(content)
      let outcome = try renderer.render(Job.jobs(for: list.siteImages), into: &content, lost: lost)
      note(outcome)
      if outcome.changed.isEmpty { return list }
      // The icons' source has changed. Users may share it, so resolve those users again too.
      gatherAgain(outcome.changed)
      try resolveAll()
    }
  }

  mutating func publish(
    upToDateCheck: UpToDateCheck?, lists: [Digest], assemble: (SiteContent) throws -> Site
  ) throws -> Publisher.Result {
    let publisher = Publisher(
      output: context.output, store: context.store, queue: context.queue, tally: context.tally,
      cancellation: context.cancellation, adopt: context.options.adopt,
      checkLocks: context.checkLocks)
    let oldPictures = try OldPictures(
      of: context.output, in: context.index, keptFor: content.manifest.keepOld, now: context.now)
    return try retrying { stages in
      if stages.hasRetried { _ = try stages.renderSiteImages() }
      let site = try assemble(stages.content)
      try stages.noteParts(of: site, lists)
      let result = try publisher.publish(
        site, lastStamps: upToDateCheck?.outputs, oldPictures: oldPictures)
      try stages.context.index.put(
        .meta, Fingerprint.lastKey, Array(stages.renderer.fingerprint.utf8))
      return result
    }
  }

  /// Records which blobs are in use, so that `Prune` keeps them.
  private func noteParts(of site: Site, _ lists: [Digest]) throws {
    var shown = Set(content.assignments.compactMap(\.source))
    if let icon = content.manifest.exports.icons, let source = content.sources.shown(for: icon.key)
    {
      shown.insert(source)
    }
    var parts = Set(site.pages.flatMap(\.contained) + lists)
    for source in shown.lazy.map({ content.sources.sources[$0] }) where source.inspection != nil {
      parts.insert(source.digest)
    }
    try ShownParts.put(parts.sorted(), for: context.output, in: context.index)
  }

  /// Runs `work`, and retries after rendering missing images; fails if an image goes missing twice.
  private mutating func retrying<Result>(
    _ work: (inout BuildStages) throws -> Result
  ) throws -> Result {
    while true {
      do {
        return try work(&self)
      } catch let found as LostImages {
        guard !found.digests.isSubset(of: lost) else { break }
        lost.formUnion(found.digests)
        content.reconsider(sources: content.forget(lost))
        try resolveAll()
      }
    }
    throw BuildFailure.machine(
      .storeUnsteady, "files written to the cache \(context.options.cache) cannot be read back",
      help: "check the disk; you can delete the cache's `store` folder at any time")
  }

  static func content(
    in context: BuildContext, choosing: (Manifest) throws -> [Int]
  ) throws -> (SiteContent, renderer: String) {
    let input = try BuildInput(context.options, context)
    var inputs = input.inputs
    let resources = try BuildResources(input.manifest, context, inputs: &inputs)
    context.pool.supply(resources.supplies, draws: resources.draws)
    let fingerprint = try Fingerprint(context, inputs: &inputs)
    var manifest = input.manifest
    manifest.users = try choosing(manifest).map { input.manifest.users[$0] }
    manifest.exports = Exports()
    var stages = try BuildStages(
      context, manifest: manifest, resources: resources, fingerprint: fingerprint)
    try stages.resolveAll()
    return (stages.content, fingerprint.text)
  }

  func diagnostics(after earlier: Diagnostics) -> Diagnostics {
    var diagnostics = earlier
    for (number, style) in content.manifest.styles.enumerated() {
      if let diagnostic = style.diagnostic(with: styleResources) { diagnostics.add(diagnostic) }
      if let diagnostic = content.limitDiagnostic(of: number) { diagnostics.add(diagnostic) }
    }
    var search = search
    // If some pictures were found, the rest are probably missing, so do not suggest new `fields`.
    let isAnyFound = content.manifest.users.indices.contains { user in
      listedSource(of: user).map { $0.fallback == nil } ?? false
    }
    let helpWithoutManifest =
      context.options.manifestText == nil || isAnyFound
      ? nil
      : "the photos are not in folders near the list; write a manifest with `init --from`, and set "
        + "`fields`, e.g. avatar: \"photos/{COLUMN}\""
    let fetching = content.fetchDiagnostics(isOffline: context.options.fetching.offline)
    // Add these before users' diagnostics, because the number of kept diagnostics is limited.
    for diagnostic in fetching.diagnostics { diagnostics.add(diagnostic) }
    for user in content.manifest.users.indices {
      let diagnostic = content.diagnostic(for: user) {
        search.help(for: $0) ?? helpWithoutManifest
      }
      if let diagnostic, !fetching.users.contains(user) { diagnostics.add(diagnostic) }
      if let diagnostic = content.profileDiagnostic(of: user) { diagnostics.add(diagnostic) }
    }
    let ofSite = content.fontDiagnostics + content.siteImageDiagnostics + content.notices
    for diagnostic in ofSite { diagnostics.add(diagnostic) }
    return diagnostics
  }

  /// The source from a user's list that is shown; nil if only a background is shown.
  private func listedSource(of user: Int) -> AvatarSource? {
    let (assignment, avatars) = (content.assignments[user], content.manifest.users[user].avatars)
    let isListed = assignment.source != nil && assignment.candidate < avatars.count
    return isListed ? avatars[assignment.candidate] : nil
  }

  func result(_ diagnostics: Diagnostics, _ clock: StageClock) -> BuildResult {
    var report = Report()
    report.seconds = clock.seconds
    let users = content.manifest.users
    for user in users.indices {
      report.users.count(content.status(of: user))
      let (id, assignment) = (users[user].id, content.assignments[user])
      report.pictures.count(listedSource(of: user))
      for (index, failure) in assignment.failures.prefix(assignment.candidate).enumerated() {
        report.failures.append(
          Report.Note(
            user: id, source: index, reason: failure.reason.rawValue, detail: failure.detail))
      }
      if let note = content.profileDiagnostic(of: user) {
        report.notes.append(
          Report.Note(
            user: id, source: assignment.candidate, reason: note.id, detail: note.note ?? ""))
      }
      if let stale = content.staleness(of: user) {
        report.stale.append(
          Report.Note(stale, of: id, source: assignment.candidate, now: context.now))
      }
    }
    if let (icon, stale) = content.staleIcon {
      report.stale.append(Report.Note(stale, of: icon.declared.path, source: 0, now: context.now))
    }
    report.network = context.tally.network
    report.counters = context.tally.current
    report.counters.skipped = report.users.skipped
    report.counters.failed = report.users.failed
    report.counters.peakConcurrency = context.queue.peakConcurrency
    report.counters.workersStarted = context.pool.workersStarted - context.earlierWorkers
    report.sandbox = context.pool.sandbox?.sentence
    if context.options.dryRun {
      report.dryRun = true
      report.counters.renders = missing
    }
    return BuildResult(report: report, diagnostics: diagnostics)
  }
}
