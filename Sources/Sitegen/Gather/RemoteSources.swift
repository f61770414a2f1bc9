import Fetch
import Files
import Foundation
import Imaging
import Store

/// Sources on the network: what is kept of them, and what must be asked for.
///
/// Bytes are kept before the record that names them is, so a build that is killed leaves either all
/// of a picture or nothing.
struct RemoteSources: Sendable {
  /// What an address came to.
  struct Finding: Sendable {
    var result: Result<Source, Rejection>
    var staleness: Staleness?
    /// When it must be asked for again.
    var until: Int64
  }

  /// Somebody who has to be asked.
  struct Question: Sendable {
    var address: RemoteAddress
    var key: Digest
    var record: RemoteRecord?
    var validators: Validators
    var url = ""
  }

  let costs = FetchLedger()
  let place: Workplace
  let settings: FetchSettings
  let services: RemoteServices
  let policy: RemotePolicy
  /// The side of the largest image that any style makes of a picture.
  let pixels: Int
  let federation = Federation()

  init(_ place: Workplace, _ manifest: Manifest) {
    self.place = place
    services = manifest.network.services
    settings = FetchSettings(manifest.network, place.options.fetching, spool: place.cache.path)
    policy = RemotePolicy(manifest.network, place.options.fetching)
    let sides = manifest.styles.flatMap { style in
      style.scales.map { max(style.width, style.height) * $0 }
    }
    pixels = Int((sides.max() ?? 1).rounded(.up))
  }

  var hasTransientFailures: Bool { costs.hasTransientFailures }

  /// Finds out what each address comes to.
  ///
  /// - Parameters:
  ///   - addresses: Distinct ones.
  ///   - afresh: Whether what is kept of an address has turned out to be lost.
  ///   - receive: Is told each once, in any order.
  /// - Throws: `CancellationError`, or when the cache cannot be used.
  func gather(
    _ addresses: [RemoteAddress], afresh: (RemoteAddress) -> Bool,
    receive: (RemoteAddress, Finding) -> Void
  ) throws {
    guard !addresses.isEmpty else { return }
    let keys = addresses.map { Digest(of: Array($0.key(pixels: pixels, services: services).utf8)) }
    let records = try place.index.get(.fetches, keys)
    var questions: [Question] = []
    for (address, (key, bytes)) in zip(addresses, zip(keys, records)) {
      let record = afresh(address) ? nil : bytes.flatMap(FetchRecord.record)
      switch try look(at: address, key, record) {
      case .known(let finding): receive(address, finding)
      case .unknown(let question): questions.append(question)
      }
    }
    guard !questions.isEmpty else { return }
    try ask(questions, receive: receive)
  }

  // MARK: What is kept

  private enum Look {
    case known(Finding)
    case unknown(Question)
  }

  private func look(
    at address: RemoteAddress, _ key: Digest, _ record: RemoteRecord?
  ) throws -> Look {
    var question = Question(address: address, key: key, record: record, validators: Validators())
    switch policy.plan(for: record, now: place.now) {
    case .settled(let verdict):
      let isPicture = if case .picture = verdict { true } else { false }
      if let finding = try finding(verdict, of: question) {
        if isPicture { place.tally.count(\.keptFresh) }
        return .known(finding)
      }
      // What was kept is lost.
      question.record = nil
      if policy.mode == .offline { return .known(lost()) }
    case .ask(let validators):
      if isRecent(record), let kept = record?.kept,
        let finding = try finding(.picture(kept.digest, until: 0), of: question)
      {
        place.tally.count(\.keptFresh)
        return .known(finding)
      }
      question.validators = validators
    }
    if place.options.fetching.patience > 0,
      let failure = place.network.recentFailure(key, now: place.now)
    {
      let verdict = policy.settle(question.record, failure, now: place.now).verdict
      if let finding = try finding(verdict, of: question) { return .known(finding) }
    }
    return .unknown(question)
  }

  /// Whether it was asked for a moment ago by somebody who builds again and again.
  private func isRecent(_ record: RemoteRecord?) -> Bool {
    guard let record, policy.mode == .normal else { return false }
    return (0..<place.options.fetching.patience).contains(place.now - record.checkedAt)
  }

  /// What a verdict comes to; nil when the bytes that it names are lost.
  func finding(_ verdict: RemotePolicy.Verdict, of question: Question) throws -> Finding? {
    switch verdict {
    case .picture(let digest, let until):
      return try source(digest, of: question.address).map { Finding(result: $0, until: until) }
    case .stale(let digest, let age, let reason, let detail):
      let until = question.record?.failure?.until
      if until == nil { costs.noteTransientFailure() }
      let staleness = Staleness(
        checkedAt: place.now - age, rejection: Rejection(Reason(rawValue: reason), detail))
      return try source(digest, of: question.address).map {
        Finding(
          result: $0, staleness: staleness,
          until: until.map { min($0, staleness.checkedAt + policy.maxStale) } ?? 0)
      }
    case .failed(let reason, let detail, let isTransient, let until):
      if isTransient { costs.noteTransientFailure() }
      return Finding(
        result: .failure(Rejection(Reason(rawValue: reason), detail)), until: until ?? 0)
    }
  }

  /// What the bytes with a digest are; nil when they are lost.
  private func source(
    _ digest: Digest, of address: RemoteAddress
  ) throws -> Result<Source, Rejection>? {
    var facts = try place.index.get(.facts, digest).flatMap(FactsRecord.facts)
    if facts == nil, let bytes = try place.originals.get(digest) {
      facts = try inspect(bytes, digest)
    }
    return facts?.map {
      Source(digest: digest, origin: .fetched(address.kindName), inspection: $0)
    }
  }

  func inspect(_ bytes: Data, _ digest: Digest) throws -> Result<Inspection, Rejection> {
    let facts = Result { () throws(Rejection) in try Inspection(inspecting: bytes) }
    try place.index.put(.facts, digest, FactsRecord.bytes(of: facts))
    return facts
  }

  /// What was kept is gone from the cache, and cannot be had now.
  func lost() -> Finding {
    costs.noteTransientFailure()
    return Finding(
      result: .failure(
        Rejection(Reason(rawValue: FetchReason.offline.rawValue), "what was kept of it is lost")),
      until: 0)
  }
}
