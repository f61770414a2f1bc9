import Fetch
import Foundation
import Imaging
import Store

extension RemoteSources {
  /// So many answers are written down together.
  private static let batch = 64

  /// Asks all of them, and keeps what comes.
  func ask(
    _ questions: [Question], receive: (RemoteAddress, Finding) -> Void
  ) throws {
    let questions = try addressed(questions)
    let fetcher = place.network.fetcher(settings)
    let start = ContinuousClock.now
    var news: [(key: Digest, value: [UInt8])] = []
    var done = 0
    // What has come is kept, also when the rest does not.
    defer {
      costs.add(seconds: (ContinuousClock.now - start) / .seconds(1))
      try? place.index.put(.fetches, news)
    }
    place.progress(.fetching(done: 0, total: questions.count))
    try fetcher.all(
      questions.map { FetchRequest($0.url, validators: $0.validators) },
      isCancelled: { place.cancellation.isCancelled }
    ) { number, answer in
      let question = questions[number]
      costs.add(answer, to: place.tally)
      let (record, finding) = try settle(question, answer)
      news.append((question.key, FetchRecord.bytes(of: record ?? RemoteRecord())))
      if news.count >= Self.batch {
        try place.index.put(.fetches, news)
        news = []
      }
      receive(question.address, finding)
      done += 1
      place.progress(.fetching(done: done, total: questions.count))
    }
  }

  /// The same with the addresses that they have on the network now.
  private func addressed(_ questions: [Question]) throws -> [Question] {
    var addressed: [Question] = []
    // Who has to look a name up waits for a name server.
    try place.queue.map(questions, as: .gather) { [pixels, services, federation] question in
      var question = question
      question.url = question.address.url(
        pixels: pixels, services: services, federation: federation)
      return question
    } receive: { _, result in
      addressed.append(try result.get())
    }
    return addressed
  }

  /// What is kept from now on, and what the answer comes to.
  private func settle(_ question: Question, _ answer: FetchAnswer) throws -> (
    RemoteRecord?, Finding
  ) {
    let now = place.now
    let settled = try settled(answer, asked: now - Int64(answer.cost.seconds), now: now)
    let (record, verdict) = policy.settle(question.record, settled, now: now)
    if case .failed(_, _, let isPermanent) = settled, !isPermanent {
      place.network.note(question.key, settled, now: now)
    } else {
      place.network.note(question.key, nil, now: now)
    }
    var question = question
    question.record = record
    if let finding = try finding(verdict, of: question) { return (record, finding) }
    // The far end confirms what we have lost: the next build asks without naming it.
    return (nil, lost())
  }

  private func settled(
    _ answer: FetchAnswer, asked: Int64, now: Int64
  ) throws -> RemotePolicy.Settled {
    switch answer.outcome {
    case .failed(let failure):
      return .failed(failure)
    case .notModified(let fields):
      return .notModified(fields: fields, askedAt: asked, answeredAt: now)
    case .fetched(let body, let fields):
      let bytes = try body.read()
      let digest = Digest(of: bytes)
      switch try inspect(bytes, digest) {
      case .success:
        // Before anything names them.
        try place.originals.put(bytes, as: digest)
        return .picture(
          RemoteRecord.Kept(digest: digest, size: bytes.count), fields: fields, askedAt: asked,
          answeredAt: now)
      case .failure(let rejection):
        return .failed(
          reason: rejection.reason.rawValue, detail: rejection.detail, isPermanent: true)
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
    reach = network.reach
    proxy = network.proxy
    userAgent = options.userAgent
    certificates = options.certificates
    self.spool = spool
  }
}

extension RemotePolicy {
  init(_ network: NetworkSettings, _ options: FetchingOptions) {
    self.init()
    mode =
      options.offline ? .offline : options.afresh ? .afresh : options.refresh ? .refresh : .normal
    retriesFailed = options.retriesFailed
    maxStale = network.maxStale
  }
}

extension Rejection {
  init(_ failure: FetchFailure) {
    self.init(Reason(rawValue: failure.reason.rawValue), failure.detail)
  }
}
