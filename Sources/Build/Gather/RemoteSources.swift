import Bytes
import Fetch
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store

/// Sources on the network: which pictures are kept, and which must be asked for.
///
/// Bytes are kept before the record that names them, so a killed build leaves a whole picture or
/// nothing.
struct RemoteSources: Sendable {
  /// The outcome for one address.
  struct Finding: Sendable {
    var result: Result<Source, Rejection>
    var staleness: Staleness?
    /// When it must be asked for again.
    var until: Int64
  }

  /// An address that has to be asked.
  struct Question: Sendable {
    var address: RemoteAddress
    var key: Digest
    var record: RemoteRecord?
    var validators: Validators
    var url = ""
  }

  let context: BuildContext
  let settings: FetchSettings
  let services: RemoteServices
  let policy: RemotePolicy
  /// The side of the largest image that any style makes of a picture.
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

  /// Finds the outcome of each address.
  ///
  /// The addresses are distinct; the kept bytes of those in `afresh` are lost. `receive` gets each
  /// outcome once, in any order.
  ///
  /// - Throws: `CancellationError`, or when the cache cannot be used.
  func gather(
    _ addresses: [RemoteAddress], afresh: Set<RemoteAddress>,
    receive: (RemoteAddress, Finding) -> Void
  ) throws {
    guard !addresses.isEmpty else { return }
    let keys = keys(of: addresses)
    var records = try context.addresses().get(.fetches, keys).map { $0.flatMap(FetchRecord.record) }
    try takeShared(keys, &records)
    // Not by a key path: the library moves overlapping memory to follow one through optionals.
    var facts = try InspectionCache(of: records.compactMap { $0?.kept?.digest }, context)
    var questions: [Question] = []
    try context.share(Array(zip(keys, records)), areNew: false)
    for (address, (key, record)) in zip(addresses, zip(keys, records)) {
      switch try look(at: address, key, afresh.contains(address) ? nil : record, &facts) {
      case .known(let finding): receive(address, finding)
      case .unknown(let question): questions.append(question)
      }
    }
    if !questions.isEmpty { try ask(questions, &facts, receive: receive) }
    try facts.keep()
  }

  /// Takes from the shared store what would be asked for.
  private func takeShared(_ keys: [Digest], _ records: inout [RemoteRecord?]) throws {
    guard context.shared?.mode.reads == true else { return }
    let known = zip(keys, records).enumerated().map { ($0.offset, $0.element.0, $0.element.1) }
    var taken: [(key: Digest, value: [UInt8])] = []
    try context.queue.map(known) { [context, policy] number, key, record in
      guard let (answer, bytes) = try context.sharedAnswer(key, record, policy) else {
        return (number, RemoteRecord?.none)
      }
      // Before the record that names them.
      if let bytes { try context.originals.put(bytes) }
      return (number, answer)
    } receive: { _, result in
      guard case (let number, let record?) = try result.get() else { return }
      records[number] = record
      taken.append((keys[number], FetchRecord.bytes(of: record)))
    }
    if !taken.isEmpty { try context.addresses().put(.fetches, taken) }
  }

  /// What the outcomes of these are kept under.
  func keys(of addresses: [RemoteAddress]) -> [Digest] {
    addresses.map { Digest(of: $0.key(pixels: pixels, services: services)) }
  }

  // MARK: What is kept

  private enum Look {
    case known(Finding)
    case unknown(Question)
  }

  private func look(
    at address: RemoteAddress, _ key: Digest, _ record: RemoteRecord?,
    _ facts: inout InspectionCache
  ) throws -> Look {
    var question = Question(address: address, key: key, record: record, validators: Validators())
    switch context.plan(policy, for: record, key) {
    case .settled(let verdict):
      let isPicture = if case .picture = verdict { true } else { false }
      if let finding = try finding(verdict, of: question, &facts) {
        if isPicture { context.tally.count(\.keptFresh) }
        return .known(finding)
      }
      // The kept bytes are lost.
      question.record = nil
      if policy.mode == .offline { return .known(lost()) }
    case .ask(let validators):
      question.validators = validators
    }
    return .unknown(question)
  }

  /// The outcome of a verdict; nil when the bytes that it names are lost.
  func finding(
    _ verdict: RemotePolicy.Verdict, of question: Question, _ facts: inout InspectionCache
  ) throws -> Finding? {
    func source(_ digest: Digest) throws -> Result<Source, Rejection>? {
      try facts[digest]?.map {
        Source(
          digest: digest, origin: .fetched, kind: question.address.kindName, inspection: $0)
      }
    }
    switch verdict {
    case .picture(let digest, let until):
      return try source(digest).map { Finding(result: $0, until: until) }
    case .stale(let digest, let age, let rejection):
      let until = question.record?.failure?.until
      if until == nil { context.costs.noteTransientFailure() }
      let staleness = Staleness(checkedAt: context.now - age, rejection: rejection)
      return try source(digest).map {
        Finding(
          result: $0, staleness: staleness,
          until: until.map { min($0, staleness.checkedAt + policy.maxStale) } ?? 0)
      }
    case .failed(let rejection, let isTransient, let until):
      if isTransient { context.costs.noteTransientFailure() }
      return Finding(result: .failure(rejection), until: until ?? 0)
    }
  }

  /// The outcome where the kept bytes are lost and cannot be fetched now.
  func lost() -> Finding {
    context.costs.noteTransientFailure()
    return Finding(result: .failure(Rejection(.offline, "what was kept of it is lost")), until: 0)
  }
}

extension BuildContext {
  /// What the policy says, except that nothing is asked again that an earlier rebuild asked for a
  /// moment ago.
  func plan(
    _ policy: RemotePolicy, for record: RemoteRecord?, _ key: Digest
  ) -> RemotePolicy.Plan {
    let plan = policy.plan(for: record, now: now)
    let patience = options.fetching.patience
    guard case .ask = plan else { return plan }
    if policy.mode == .normal, let record, let kept = record.kept,
      (0..<max(0, patience)).contains(now - record.checkedAt)
    {
      return .settled(.picture(kept.digest, until: 0))
    }
    guard patience > 0, let failure = network.recentFailure(key, now: now) else { return plan }
    return .settled(policy.settle(record, .failed(failure, isPermanent: false), now: now).verdict)
  }
}
