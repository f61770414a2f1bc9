import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store
import Workers

/// Gathers, plans and renders in waves, until every user has a picture or the end of its list.
///
/// A source that fails to render sends its users on to their next one, which is gathered, planned
/// and rendered in the next wave.
struct BuildStages {
  private let context: BuildContext
  private let gatherer: Gatherer
  private let remote: RemoteSources
  private let renderer: Renderer
  private let styleResources: StyleResources
  private(set) var content: SiteContent
  /// Whether something failed that may work when it is tried again.
  var hasTransientFailures: Bool { mayBeBetterNextTime || context.costs.hasTransientFailures }
  private var mayBeBetterNextTime = false
  /// Files that have changed once already while we read them.
  private var unsteady: Set<AvatarSource.Kind> = []
  /// Whether files have failed whose earlier pictures are lost.
  private(set) var hasLostEarlierPictures = false
  /// How many images a dry run has left to be rendered.
  private var missing = 0

  init(
    _ context: BuildContext, manifest: Manifest, resources: BuildResources, fingerprint: Fingerprint
  ) throws {
    self.context = context
    styleResources = resources.forStyles
    let files = FileSource(folder: context.manifestFolder, allowOutside: manifest.allowOutside)
    var manifest = manifest
    var spelling = FileSpelling(files)
    // The list of users is copied only where it has to be; the compiler would copy it before this loop
    // if that wrote to it.
    var corrected: [(number: Int, user: User)] = []
    for (number, user) in manifest.users.enumerated() {
      if let user = spelling.corrected(user) { corrected.append((number, user)) }
    }
    for (number, user) in corrected { manifest.users[number] = user }
    mayBeBetterNextTime = spelling.hasMissing
    remote = RemoteSources(context, manifest)
    gatherer = Gatherer(
      files: files, root: Inputs.fromRoot(context.manifestFolder.path), index: context.index,
      queue: context.queue, tally: context.tally, fonts: resources.fonts, remote: remote)
    renderer = Renderer(
      runner: JobRunner(context: context, files: files), context: context,
      fingerprint: fingerprint.text)
    content = SiteContent(
      manifest: manifest, variants: StyleVariants(manifest.styles, resources: styleResources),
      assignment: SourceAssignment(manifest.users), sources: SourceSet(), rendered: RenderedSet())
    content.fonts = resources.writtenFonts(manifest)
  }

  /// Reads headers only, and renders nothing.
  mutating func gatherEveryone() throws {
    try gatherer.gather(&content.assignment, into: &content.sources)
    try gatherIcon()
  }

  mutating func settleEveryone() throws {
    while !content.assignment.pending.isEmpty {
      try gatherer.gather(&content.assignment, into: &content.sources, afresh: unsteady)
      let plan = plan(content.assignment)
      let outcome = try renderer.render(
        plan, variants: content.variants, sources: content.sources, into: &content.rendered)
      note(outcome)
      context.tally.count(\.deduped, plan.wanted - outcome.distinct)
      let rejections = rejections
      let spoilt = try takeEarlierPictures(rejections)
      content.assignment.settle { user, source in
        spoilt.contains(source) ? nil : rejections[user]
      }
      content.assignment.reconsider(sources: spoilt)
      lookAgain(at: content.sources.numbers(of: outcome.changed))
    }
  }

  /// Why sources cannot be shown, by the pending users that have them.
  private var rejections: [Int: Rejection] {
    var rejections: [Int: Rejection] = [:]
    for user in content.assignment.pending {
      guard let number = content.assignment.assignments[user].source else { continue }
      let source = content.sources.sources[number]
      let variants = content.variants.numbers(of: content.manifest.users[user], source)
      guard let rejection = content.rendered.rejection(of: number, in: variants) else { continue }
      rejections[user] =
        source.origin == .earlier
        ? content.staleness(of: user)?.rejection ?? rejection : rejection
    }
    return rejections
  }

  /// Gives files that give no pictures now those that they held before.
  ///
  /// - Returns: The sources that give none, if some file has an earlier one.
  private mutating func takeEarlierPictures(_ rejections: [Int: Rejection]) throws -> Set<Int> {
    var spoilt: Set<Int> = []
    for user in content.assignment.pending {
      guard let rejection = rejections[user],
        let source = content.assignment.assignments[user].source,
        case .file(let path) = content.assignment.candidate(of: user),
        try gatherer.takeEarlier(
          path, than: content.sources.sources[source].digest, rejection, into: &content.sources)
      else { continue }
      spoilt.insert(source)
    }
    return spoilt
  }

  /// Remembers which files gave pictures.
  func provePictures() throws {
    var proven: [SourcePath: Digest] = [:]
    for user in content.manifest.users.indices {
      guard case .file(let path) = content.assignment.candidate(of: user),
        content.sources.unproven.contains(path), !content.assignment.assignments[user].isStale,
        let source = content.source(of: user)
      else { continue }
      proven[path] = source.digest
    }
    if case .file(let path) = content.manifest.exports.icons?.source, content.staleIcon == nil,
      content.sources.unproven.contains(path), content.rendered.siteImageFailures.isEmpty,
      let source = try? content.sources[.file(path)]?.get()
    {
      proven[path] = content.sources.sources[source].digest
    }
    try gatherer.prove(proven.map { ($0.key, $0.value) })
  }

  private mutating func note(_ outcome: Renderer.Outcome) {
    missing += outcome.missing
    mayBeBetterNextTime = mayBeBetterNextTime || outcome.hasTransientFailures
  }

  private mutating func plan(_ assignment: SourceAssignment) -> Plan {
    Plan(
      assignment, users: content.manifest.users, variants: &content.variants,
      sources: content.sources)
  }

  /// Gathers changed files once more; a file that changes again is rejected.
  private mutating func lookAgain(at changed: Set<Int>) {
    guard !changed.isEmpty else { return }
    _ = dropEarlierPictures(among: changed)
    for kind in content.sources.forget(changed) where !unsteady.insert(kind).inserted {
      mayBeBetterNextTime = true
      content.sources.add(
        Rejection(.changed, "it keeps changing while it is read"), for: kind)
    }
    content.assignment.reconsider(sources: changed)
  }

  /// Lets files fail whose earlier pictures cannot be had any more.
  private mutating func dropEarlierPictures(among changed: Set<Int>) -> Bool {
    let kinds = content.sources.forget(
      changed.filter { content.sources.sources[$0].origin == .earlier })
    for kind in kinds {
      guard let stale = content.sources.stale[kind] else { continue }
      content.sources.add(stale.rejection, for: kind)
      content.sources.note(kind, nil)
    }
    if !kinds.isEmpty { hasLostEarlierPictures = true }
    return !kinds.isEmpty
  }

  // MARK: Images of the site

  /// Makes the images that belong to no user: bitmaps of buttons, icons, sheets.
  mutating func makeSiteImages() throws {
    try gatherIcon()
    let list = SiteImageList(content)
    missing += list.unknown
    context.tally.count(\.deduped, list.siteImages.count - Set(list.siteImages).count)
    try repairing { stages, lost in
      try stages.make(lost.isEmpty ? list : SiteImageList(stages.content), lost: lost)
    }
  }

  private mutating func make(_ list: SiteImageList, lost: Set<Digest>) throws {
    let outcome = try renderer.render(
      list.siteImages, variants: content.variants, into: &content.rendered, lost: lost)
    note(outcome)
    guard !outcome.changed.isEmpty else { return }
    if dropEarlierPictures(among: content.sources.numbers(of: outcome.changed)) {
      return try make(SiteImageList(content), lost: lost)
    }
    // Only the icons are made of a file: it is gathered once more, and then rejected.
    if let icon = content.manifest.exports.icons, unsteady.insert(icon.source).inserted {
      _ = content.sources.forget(content.sources.numbers(of: outcome.changed))
      try gatherIcon()
      return try make(SiteImageList(content), lost: lost)
    }
    mayBeBetterNextTime = true
    let rejection = Rejection(.changed, "the file keeps changing while it is read")
    for image in list.siteImages where outcome.changed.contains(image.source.digest) {
      content.rendered.add(.failure(rejection), for: .siteImage(image))
    }
  }

  private mutating func gatherIcon() throws {
    guard let icon = content.manifest.exports.icons, content.sources[icon.source] == nil else {
      return
    }
    try gatherer.gather([icon.source], into: &content.sources, afresh: unsteady)
  }

  /// Publishes what `assemble` makes; images that the store has lost are rendered again.
  mutating func publish(
    upToDateCheck: UpToDateCheck?, lists: [Digest], assemble: (SiteContent) throws -> Site
  ) throws -> Publisher.Result {
    let publisher = Publisher(
      output: context.output, store: context.store, queue: context.queue, tally: context.tally,
      cancellation: context.cancellation, adopt: context.options.adopt,
      checkLocks: context.checkLocks)
    let oldPictures = try OldPictures(
      of: context.output, in: context.index, keptFor: content.manifest.keepOld, now: context.now)
    return try repairing { [context] stages, lost in
      // Avatars first: sheets are made of them.
      if !lost.isEmpty { try stages.make(SiteImageList(stages.content), lost: lost) }
      let site = try assemble(stages.content)
      try stages.noteParts(of: site, lists)
      let result = try publisher.publish(
        site, lastStamps: upToDateCheck?.outputs, oldPictures: oldPictures)
      try LastRenderer.put(stages.renderer.fingerprint, in: context.index)
      return result
    }
  }

  /// Writes down which blobs the site is made of, so that `Prune` keeps them.
  private func noteParts(of site: Site, _ lists: [Digest]) throws {
    var shown = Set(content.assignment.assignments.compactMap(\.source))
    if let icon = content.manifest.exports.icons, let source = content.sources[icon.source] {
      shown.formUnion((try? [source.get()]) ?? [])
    }
    var parts = Set(site.pages.flatMap(\.contained) + lists)
    for source in shown.lazy.map({ content.sources.sources[$0] }) where source.inspection != nil {
      parts.insert(source.digest)
    }
    try ShownParts.put(parts.sorted(), for: context.output, in: context.index)
  }

  /// Runs `work`, and again after rendering what it found to be lost from the store.
  ///
  /// `work` gets everything that was lost until now.
  ///
  /// - Throws: What `work` throws, and when the store keeps losing things.
  private mutating func repairing<Result>(
    _ work: (inout BuildStages, Set<Digest>) throws -> Result
  ) throws -> Result {
    var lost: Set<Digest> = []
    // A favicon's images, a sheet and then its pictures may be found to be lost one after the other.
    // An image that is lost twice was written in vain.
    while true {
      do {
        return try work(&self, lost)
      } catch let more as LostImages {
        if more.digests.isSubset(of: lost) { break }
        lost.formUnion(more.digests)
        try render(more.digests)
      }
    }
    throw BuildFailure.machine(
      Diagnostic(
        .error, .storeUnsteady,
        "the store in \(context.options.cache) keeps losing what is written to it",
        help: "is the disk sound? the store can be deleted at any time"))
  }

  private mutating func render(_ lost: Set<Digest>, isSecondTime: Bool = false) throws {
    content.rendered.forget(lost)
    var assignment = content.assignment
    assignment.reopen()
    let plan = plan(assignment)
    let outcome = try renderer.render(
      plan, variants: content.variants, sources: content.sources, into: &content.rendered,
      lost: lost)
    note(outcome)
    if outcome.changed.isEmpty { return }
    let changed = content.sources.numbers(of: outcome.changed)
    if !isSecondTime,
      changed.allSatisfy({ [.fetched, .earlier].contains(content.sources.sources[$0].origin) })
    {
      // The fetched bytes are lost too, so they are fetched again; those of a file are no more.
      lookAgain(at: changed)
      try settleEveryone()
      return try render(lost, isSecondTime: true)
    }
    // The images are gone, and their file is another one now: the next build renders it.
    throw BuildFailure.machine(
      Diagnostic(
        .error, Reason.changed.rawValue, "a source changed while its lost images were rendered",
        help: "build again"))
  }
}

extension BuildStages {
  /// The site of some users only.
  ///
  /// - Throws: Whatever prevents all rendering.
  static func content(
    of users: [Int], in manifest: Manifest, context: BuildContext,
    resources: BuildResources, fingerprint: Fingerprint
  ) throws -> SiteContent {
    var few = manifest
    few.users = users.map { manifest.users[$0] }
    few.exports = Exports()
    var stages = try BuildStages(
      context, manifest: few, resources: resources, fingerprint: fingerprint)
    try stages.settleEveryone()
    return stages.content
  }

  /// The same for a run that is no build, which may change the manifest when it chooses users.
  ///
  /// - Returns: The site, and the fingerprint of what renders it.
  static func content(
    in context: BuildContext, choosing: (inout Manifest) throws -> [Int]
  ) throws -> (SiteContent, renderer: String) {
    let input = try BuildInput(context.options, context)
    var inputs = input.inputs
    let resources = try BuildResources(input.manifest, context, inputs: &inputs)
    context.pool.supply(resources.supplies, draws: resources.draws)
    let fingerprint = try Fingerprint(context, inputs: &inputs)
    var manifest = input.manifest
    let users = try choosing(&manifest)
    let content = try content(
      of: users, in: manifest, context: context, resources: resources, fingerprint: fingerprint)
    return (content, fingerprint.text)
  }
}

// MARK: - Telling

extension BuildStages {
  /// Those of the manifest, and one for each user without the picture asked for.
  func diagnostics(after earlier: Diagnostics) -> Diagnostics {
    var diagnostics = earlier
    for (number, style) in content.manifest.styles.enumerated() {
      if let diagnostic = style.diagnostic(with: styleResources) { diagnostics.add(diagnostic) }
      if let diagnostic = content.limitDiagnostic(of: number) { diagnostics.add(diagnostic) }
    }
    var nearest = NearestFile(beneath: context.manifestFolder)
    let helpWithoutManifest =
      context.options.manifestText.map { _ in
        "pictures are looked for beside the list; `init --from` writes a manifest, which says where "
          + "they are"
      }
    let fetching = content.fetchDiagnostics(isOffline: context.options.fetching.offline)
    // Before the people, since only so many of each severity are kept.
    for diagnostic in fetching.diagnostics { diagnostics.add(diagnostic) }
    for user in content.manifest.users.indices {
      let diagnostic = content.diagnostic(for: user) {
        nearest.help(for: $0) ?? helpWithoutManifest
      }
      if let diagnostic, !fetching.users.contains(user) { diagnostics.add(diagnostic) }
      if let diagnostic = content.profileDiagnostic(of: user) { diagnostics.add(diagnostic) }
    }
    let ofSite = content.fontDiagnostics + content.siteImageDiagnostics + content.notices
    for diagnostic in ofSite {
      diagnostics.add(diagnostic)
    }
    return diagnostics
  }

  func result(_ diagnostics: Diagnostics, _ clock: StageClock) -> BuildResult {
    var report = Report()
    report.seconds = clock.seconds
    let users = content.manifest.users
    for user in users.indices {
      report.users.count(content.assignment.status(of: user))
      let (id, assignment) = (users[user].id, content.assignment.assignments[user])
      let avatars = users[user].avatars
      let isListed = assignment.source != nil && assignment.candidate < avatars.count
      report.pictures.count(isListed ? avatars[assignment.candidate] : nil)
      for (index, failure) in assignment.failures.enumerated() {
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
          Report.Stale(stale, of: id, source: assignment.candidate, now: context.now))
      }
    }
    if let (icon, stale) = content.staleIcon {
      report.stale.append(Report.Stale(stale, of: icon.declared.path, source: 0, now: context.now))
    }
    report.network = context.costs.network
    report.counters = context.tally.current
    report.counters.skipped = report.users.skipped
    report.counters.failed = report.users.failed
    report.counters.peakConcurrency = context.queue.peakConcurrency
    report.counters.workersStarted = context.pool.workersStarted - context.earlierWorkers
    report.jail = context.pool.jail?.sentence
    if context.options.dryRun {
      report.dryRun = true
      report.counters.renders = missing
    }
    return BuildResult(report: report, diagnostics: diagnostics)
  }
}
