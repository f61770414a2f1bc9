import Bytes
import Diagnostics
import Fetch
import Foundation
import Manifest
import Plan
import Recipes
import Store

extension RemoteSources {
  private struct Arrival: Sendable {
    var outcome: RemotePolicy.Outcome
    var facts: (digest: Digest, result: Result<Inspection, Rejection>)?
  }

  func ask(
    _ questions: [Question], _ facts: inout InspectionCache, into set: inout SourceSet
  ) throws {
    let fetcher = try context.network.fetcher(settings, context)
    let questions = Self.mixed(
      questions.map { question in
        var question = question
        question.url = question.address.url(pixels: pixels, services: services)
        return question
      })
    let start = ContinuousClock.now
    defer { context.tally.add(networkSeconds: (ContinuousClock.now - start) / .seconds(1)) }
    var done = 0
    context.progress(.fetching(done: 0, total: questions.count))
    let requests = questions.map { FetchRequest($0.url, validators: $0.validators) }
    func isCancelled() -> Bool { context.cancellation.isCancelled }
    try fetcher.all(requests, isCancelled: isCancelled) { answers in
      // Store the bytes before the records that refer to them, in case the build is killed.
      var records: [(key: Digest, value: [UInt8])] = []
      var cacheUpdates: [(key: Digest, record: RemoteRecord?)] = []
      try context.queue.map(answers) { [self] _, answer in
        try arrival(of: answer)
      } receive: { item, result in
        let question = questions[item.index]
        context.tally.add(item.answer)
        let arrival = try result.get()
        let record = try evaluate(question, arrival, &facts, into: &set)
        if arrival.outcome.transient == nil { cacheUpdates.append((question.key, record)) }
        records.append((question.key, FetchRecord.bytes(of: record ?? RemoteRecord())))
      }
      try facts.keep()
      try context.addresses().put(.fetches, records)
      try context.share(cacheUpdates, areNew: true)
      done += answers.count
      context.progress(.fetching(done: done, total: questions.count))
    }
  }

  /// Alternates between hosts, so that a slow host does not block the others.
  private static func mixed(_ questions: [Question]) -> [Question] {
    var turns: [Substring: Int] = [:]
    return questions.map { question in
      // The third component is the host, after the scheme and an empty component.
      let host =
        question.url.split(
          separator: "/", maxSplits: 3, omittingEmptySubsequences: false
        ).prefix(3).last ?? ""
      turns[host, default: 0] += 1
      return (turns[host, default: 0], question)
    }.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element.1)
  }

  private func evaluate(
    _ question: Question, _ arrival: Arrival, _ facts: inout InspectionCache,
    into set: inout SourceSet
  ) throws -> RemoteRecord? {
    let now = context.now
    if let (digest, result) = arrival.facts { facts.add(result, of: digest) }
    let (record, verdict) = policy.evaluate(question.record, arrival.outcome, now: now)
    context.network.note(question.key, arrival.outcome.transient, now: now)
    var question = question
    question.record = record
    if try add(verdict, of: question, &facts, to: &set) { return record }
    // The server confirmed bytes that are missing from the cache. The next build fetches them.
    addLost(question, to: &set)
    return nil
  }

  private func arrival(of answer: FetchAnswer) throws -> Arrival {
    var facts: (digest: Digest, result: Result<Inspection, Rejection>)?
    let outcome = try RemotePolicy.Outcome(answer, now: context.now) { bytes in
      let digest = Digest(of: bytes)
      let result = Inspection.result(of: bytes)
      if case .failure(let rejection) = result { return .failure(rejection) }
      try context.originals.put(bytes, as: digest)
      facts = (digest, result)
      return .success(RemoteRecord.Kept(digest: digest, size: bytes.count))
    }
    return Arrival(outcome: outcome, facts: facts)
  }
}

extension RemotePolicy.Outcome {
  /// Creates an outcome from a response; `keep` checks and stores the bytes.
  init(
    _ answer: FetchAnswer, now: Int64, keep: (Data) throws -> Result<RemoteRecord.Kept, Rejection>
  ) throws {
    let asked = now - Int64(answer.cost.seconds)
    switch answer.outcome {
    case .failed(let failure) where failure.reason == .cancelled:
      throw CancellationError()
    case .failed(let failure) where failure.reason == .spoolFailed:
      throw BuildFailure.machine(.machineFailed, "cannot save fetched data", note: failure.detail)
    case .failed(let failure):
      self = .failed(failure)
    case .notModified(let fields):
      self = .notModified(fields: fields, askedAt: asked, answeredAt: now)
    case .fetched(let body, let fields):
      switch try keep(try body.read()) {
      case .success(let kept):
        self = .picture(kept, fields: fields, askedAt: asked, answeredAt: now)
      case .failure(let rejection):
        self = .failed(rejection, isPermanent: true)
      }
    }
  }
}

extension FetchSettings {
  init(_ network: NetworkSettings, _ options: FetchingOptions, spool: String) {
    self.init()
    time = .seconds(options.timeout)
    connectTime = min(connectTime, time)
    slowTime = min(slowTime, time)
    perHost = network.perHost
    overall = network.overall
    (policy.networks, policy.hosts, policy.ports) = (network.networks, network.hosts, network.ports)
    proxy =
      switch network.proxy {
      case .none: .none
      case .environment: .environment
      case .url(let url): .url(url)
      }
    userAgent = options.userAgent
    certificates = options.certificates
    self.spool = spool
  }
}

extension RemotePolicy {
  init(_ network: NetworkSettings, _ options: FetchingOptions) {
    self.init()
    mode =
      if options.offline { .offline } else if options.ignoringCache { .ignoringCache } else {
        options.refresh ? .refresh : .normal
      }
    maxStale = network.maxStale
  }
}
