import Bytes
import Fetch
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store

/// The remote sources of a build, taken from the cache or requested from servers.
///
/// Bytes are stored before the record that refers to them, in case the build is killed.
struct RemoteSources: Sendable {
  struct Question: Sendable {
    var address: RemoteAddress
    var key: Digest
    var record: RemoteRecord?
    var validators: Validators
    var url = ""
  }

  let context: BuildContext
  let settings: FetchSettings
  let services: [AvatarService: String]
  let policy: RemotePolicy
  /// The longest side of all rendered images, in pixels.
  let pixels: Int

  init(_ context: BuildContext, _ manifest: Manifest) {
    self.context = context
    services = manifest.network.services
    settings = FetchSettings(manifest.network, context.options.fetching, spool: context.cache.path)
    policy = RemotePolicy(manifest.network, context.options.fetching)
    let sides = manifest.styles.flatMap { style in
      style.scales.map { max(style.width, style.height) * $0 }
    }
    pixels = Int((sides.max() ?? 1).rounded(.up))
  }

  /// Finds the source for each URL; for URLs in `ignoringCache`, the cached bytes are missing.
  func gather(
    _ addresses: [RemoteAddress], into set: inout SourceSet, ignoringCache: Set<SourceKey>
  ) throws {
    guard !addresses.isEmpty else { return }
    let keys = keys(of: addresses)
    var records = try context.addresses().get(.fetches, keys).map { $0.flatMap(FetchRecord.record) }
    try takeShared(keys, &records)
    // Use a closure: a key path through optionals copies overlapping memory (undefined behaviour).
    var facts = try InspectionCache(of: records.compactMap { $0?.kept?.digest }, context)
    var questions: [Question] = []
    try context.share(Array(zip(keys, records)), areNew: false)
    for (address, (key, record)) in zip(addresses, zip(keys, records)) {
      let isLost = ignoringCache.contains(SourceKey(.remote(address)))
      let question = try look(at: address, key, isLost ? nil : record, &facts, &set)
      if let question { questions.append(question) }
    }
    if !questions.isEmpty { try ask(questions, &facts, into: &set) }
    try facts.keep()
  }

  private func takeShared(_ keys: [Digest], _ records: inout [RemoteRecord?]) throws {
    guard context.shared?.mode.reads == true else { return }
    let known = zip(keys, records).enumerated().map { ($0.offset, $0.element.0, $0.element.1) }
    var taken: [(key: Digest, value: [UInt8])] = []
    try context.queue.map(known) { [context, policy] number, key, record in
      guard let (answer, bytes) = try context.sharedAnswer(key, record, policy) else {
        return (number, RemoteRecord?.none)
      }
      if let bytes { try context.originals.put(bytes) }
      return (number, answer)
    } receive: { _, result in
      guard case (let number, let record?) = try result.get() else { return }
      records[number] = record
      taken.append((keys[number], FetchRecord.bytes(of: record)))
    }
    if !taken.isEmpty { try context.addresses().put(.fetches, taken) }
  }

  func keys(of addresses: [RemoteAddress]) -> [Digest] {
    addresses.map { Digest(of: $0.key(pixels: pixels, services: services)) }
  }

  private func look(
    at address: RemoteAddress, _ key: Digest, _ record: RemoteRecord?,
    _ facts: inout InspectionCache, _ set: inout SourceSet
  ) throws -> Question? {
    var question = Question(address: address, key: key, record: record, validators: Validators())
    switch context.plan(policy, for: record, key) {
    case .known(let verdict):
      if try add(verdict, of: question, &facts, to: &set) {
        if case .picture = verdict { context.tally.count(\.keptFresh) }
        return nil
      }
      question.record = nil
      if policy.mode == .offline {
        addLost(question, to: &set)
        return nil
      }
    case .ask(let validators):
      question.validators = validators
    }
    return question
  }

  /// Adds a verdict's result to `set`; returns false if the bytes are missing.
  func add(
    _ verdict: RemotePolicy.Verdict, of question: Question, _ facts: inout InspectionCache,
    to set: inout SourceSet
  ) throws -> Bool {
    func source(_ digest: Digest) throws -> Result<Source, Rejection>? {
      try facts[digest]?.map { Source($0, digest: digest, in: .fetched) }
    }
    let key = SourceKey(.remote(question.address))
    switch verdict {
    case .picture(let digest, let until):
      guard let source = try source(digest) else { return false }
      set.add(source, for: key, until: until)
    case .stale(let digest, let age, let rejection):
      let failedUntil = question.record?.failure?.until
      if failedUntil == nil { context.tally.noteTransientFailure() }
      guard let source = try source(digest) else { return false }
      let checkedAt = context.now - age
      let until = failedUntil.map { min($0, checkedAt + policy.maxStale) } ?? 0
      set.add(.failure(rejection), for: key, until: until)
      if case .success(let source) = source {
        set.add(lastGood: source, for: key, checkedAt: checkedAt)
      }
    case .failed(let rejection, let isTransient, let until):
      if isTransient { context.tally.noteTransientFailure() }
      set.add(.failure(rejection), for: key, until: until ?? 0)
    }
    return true
  }

  /// Adds a failure for cached bytes that are missing and cannot be fetched now.
  func addLost(_ question: Question, to set: inout SourceSet) {
    context.tally.noteTransientFailure()
    set.add(
      .failure(Rejection(.offline, "its cached copy is missing")),
      for: SourceKey(.remote(question.address)), until: 0)
  }
}

extension BuildContext {
  /// Applies the policy, except that rebuilds do not repeat recent requests.
  func plan(_ policy: RemotePolicy, for record: RemoteRecord?, _ key: Digest) -> RemotePolicy.Plan {
    let plan = policy.plan(for: record, now: now)
    let patience = options.fetching.patience
    guard case .ask = plan else { return plan }
    if policy.mode == .normal, let record, let kept = record.kept,
      (0..<max(0, patience)).contains(now - record.checkedAt)
    {
      return .known(.picture(kept.digest, until: 0))
    }
    guard patience > 0, let failure = network.recentFailure(key, now: now) else { return plan }
    return .known(policy.evaluate(record, .failed(failure, isPermanent: false), now: now).verdict)
  }
}

/// Inspections of fetched bytes, read and written in batches because individual lookups are slow.
struct InspectionCache {
  private var known: [Digest: Result<Inspection, Rejection>] = [:]
  private var updates: [(key: Digest, value: [UInt8])] = []
  private let context: BuildContext

  init(of digests: [Digest], _ context: BuildContext) throws {
    self.context = context
    let digests = Array(Set(digests))
    for (digest, bytes) in zip(digests, try context.index.get(.facts, digests)) {
      known[digest] = bytes.flatMap { InspectionRecord.facts(of: $0) }
    }
  }

  subscript(digest: Digest) -> Result<Inspection, Rejection>? {
    mutating get throws {
      if let facts = known[digest] { return facts }
      guard let bytes = try context.original(digest) else { return nil }
      let facts = Inspection.result(of: bytes)
      add(facts, of: digest)
      return facts
    }
  }

  mutating func add(_ facts: Result<Inspection, Rejection>, of digest: Digest) {
    guard known.updateValue(facts, forKey: digest) == nil else { return }
    updates.append((digest, InspectionRecord.bytes(of: facts)))
  }

  mutating func keep() throws {
    if !updates.isEmpty { try context.index.put(.facts, updates) }
    updates = []
  }
}
