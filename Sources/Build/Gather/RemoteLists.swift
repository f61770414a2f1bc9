import Bytes
import Fetch
import Files
import Foundation
import Manifest
import Recipes
import Store

/// Remote lists of people; each is cached like a picture and replaced only by a usable list.
final class RemoteLists {
  struct Outcome: Sendable {
    var parts: [Digest] = []
    var keys: [Digest] = []
    var readAt: Int64 = 0
    var freshUntil = Int64.max
  }

  private(set) var outcome = Outcome()
  /// A failure that ends the whole build.
  private(set) var failure: (any Error)?
  private let context: BuildContext?

  /// The error thrown if a list must be fetched before the cache is open.
  struct NeedsCache: Error {}

  init(_ context: BuildContext?) {
    self.context = context
    outcome.readAt = context?.now ?? 0
  }

  func fetch(
    _ list: ListAddress, _ network: NetworkSettings
  ) throws(ManifestReader.Refusal) -> ManifestReader.FetchedList {
    do {
      // Report a missing environment variable even without a cache or a request.
      let headers = try list.headerLines(ProcessInfo.processInfo.environment)
      guard let context else { throw NeedsCache() }
      return try fetch(
        list, headers, RemotePolicy(network, context.options.fetching), network, context)
    } catch let refusal as ManifestReader.Refusal {
      throw refusal
    } catch {
      failure = error
      throw ManifestReader.Refusal("the build has failed")
    }
  }

  private func fetch(
    _ list: ListAddress, _ headers: [String], _ policy: RemotePolicy, _ network: NetworkSettings,
    _ context: BuildContext
  ) throws -> ManifestReader.FetchedList {
    // The prefix separates lists from pictures with the same URL. A server may return different
    // people for each token, so include 16 bits of the token's hash, too few to reveal the token.
    let token = headers.isEmpty ? "" : Digest(of: headers.joined(separator: "\n")).hex.prefix(4)
    let key = Digest(of: "list \(list.key)" + (token.isEmpty ? "" : "\n\(token)"))
    // Headers may contain environment variables, which must be checked in every build.
    if !headers.isEmpty { outcome.freshUntil = 0 }
    outcome.keys.append(key)
    let index = try context.addresses()
    var record = try index.get(.fetches, [key]).first?.flatMap(FetchRecord.record)
    var former = try record?.kept.flatMap { try context.original($0.digest) }
    if former == nil { record?.kept = nil }
    if let (answer, bytes) = try context.sharedAnswer(key, record, policy) {
      func keep() throws {
        if let bytes { try context.originals.put(bytes) }
        try index.put(.fetches, [(key, FetchRecord.bytes(of: answer))])
      }
      if case .known = policy.plan(for: answer, now: context.now), let bytes, bytes != former {
        return offer(bytes, answer, insteadOf: former, record, keep)
      }
      if bytes == nil || former == nil || bytes == former {
        try keep()
        record = answer
        former = bytes ?? former
      }
    }
    let verdict: RemotePolicy.Verdict
    switch context.plan(policy, for: record, key) {
    case .known(let known):
      verdict = known
      try context.share([(key, record)], areNew: false)
    case .ask(let validators):
      var new: Data?
      let answer = try context.ask(list, headers, validators, network)
      let fetched = try RemotePolicy.Outcome(answer, now: context.now) { bytes in
        new = bytes
        return .success(RemoteRecord.Kept(digest: Digest(of: bytes), size: bytes.count))
      }
      context.network.note(key, fetched.transient, now: context.now)
      let (next, outcome) = policy.evaluate(record, fetched, now: context.now)
      func keep() throws {
        if let new { try context.originals.put(new, as: Digest(of: new)) }
        try index.put(.fetches, [(key, FetchRecord.bytes(of: next ?? RemoteRecord()))])
        if fetched.transient == nil { try context.share([(key, next)], areNew: true) }
      }
      if let new, new != former { return offer(new, next, insteadOf: former, record, keep) }
      try keep()
      (record, verdict) = (next, outcome)
    }
    var staleness: String?
    switch verdict {
    case .picture(_, let until): note(record, until: until)
    case .stale(_, let age, let rejection):
      staleness = rejection.noteOfStaleness
      let end = context.now - age + policy.maxStale
      note(record, until: record?.failure.map { min($0.until, end) } ?? 0)
    case .failed(let rejection, _, _):
      throw ManifestReader.Refusal(
        rejection.noteOfStaleness, help: rejection.reason.help ?? "check the URL")
    }
    guard let former else { throw ManifestReader.Refusal("its cached copy is missing") }
    return ManifestReader.FetchedList(bytes: [UInt8](former), staleness: staleness)
  }

  /// Returns a new list, which replaces the cached list only if the caller accepts it.
  private func offer(
    _ bytes: Data, _ next: RemoteRecord?, insteadOf former: Data?, _ record: RemoteRecord?,
    _ keep: @escaping () throws -> Void
  ) -> ManifestReader.FetchedList {
    ManifestReader.FetchedList(bytes: [UInt8](bytes), former: former.map { [UInt8]($0) }) {
      [self] isGood in
      // If the list is rejected, the next build fetches it again.
      note(isGood ? next : record, until: isGood ? next?.freshUntil ?? 0 : 0)
      guard isGood else { return }
      do { try keep() } catch { failure = error }
    }
  }

  private func note(_ record: RemoteRecord?, until: Int64) {
    if let kept = record?.kept { outcome.parts.append(kept.digest) }
    outcome.freshUntil = min(outcome.freshUntil, until)
  }
}

extension ListAddress {
  fileprivate func headerLines(
    _ environment: [String: String]
  ) throws(ManifestReader.Refusal) -> [String] {
    var refusal: ManifestReader.Refusal?
    let lines = headers.map { header in
      header.replacing(Self.variable) { match in
        let value = environment[String(match.1)] ?? ""
        if !Self.canBeSent(value) {
          refusal = ManifestReader.Refusal(
            "the environment variable \(match.1) "
              + (value.isBlank ? "is unset or empty" : "must be one line of ASCII, up to 4 KiB"),
            help: "set it before the build, e.g. with export \(match.1)=…")
        }
        return value
      }
    }
    if let refusal { throw refusal }
    return lines
  }
}

extension BuildContext {
  private static let maxPages = 1_000

  /// Fetches all pages of a list as one response; if one page fails, the whole list fails.
  fileprivate func ask(
    _ list: ListAddress, _ headers: [String], _ validators: Validators, _ network: NetworkSettings
  ) throws -> FetchAnswer {
    let settings = FetchSettings(network, options.fetching, spool: cache.path)
    // A page's validators do not cover the other pages.
    var request = FetchRequest(list.url, validators: list.pages != nil ? Validators() : validators)
    request.headers = headers
    request.origin = headers.isEmpty && list.pages == nil ? nil : list.url
    var (bytes, asked) = (Data(), Set<String>())
    let deadline = ContinuousClock.now + .seconds(300)
    while true {
      let start = ContinuousClock.now
      var answers: [FetchAnswer] = []
      progress(.fetching(done: asked.count, total: asked.count + 1))
      try self.network.fetcher(settings, self).all(
        [request], isCancelled: { cancellation.isCancelled },
        receive: { answers += $0.map(\.answer) })
      tally.add(networkSeconds: (ContinuousClock.now - start) / .seconds(1))
      guard var answer = answers.first else { throw CancellationError() }
      tally.add(answer)
      guard list.pages != nil, case .fetched(let body, let fields) = answer.outcome else {
        return answer
      }
      let page = try body.read()
      bytes += [ListAddress.separator] + page
      asked.insert(request.url)
      let next = list.next(after: page, link: fields["link"], at: request.url)
      if bytes.count > settings.bytes {
        let detail = "its pages are larger than \(settings.bytes >> 20) MiB in total"
        answer.outcome = .failed(FetchFailure(.tooManyBytes, detail))
      } else if let next,
        asked.contains(next) || asked.count == Self.maxPages || ContinuousClock.now > deadline
      {
        let detail =
          "it has over \(Self.maxPages) pages, links in a loop, or needs more than 5 minutes"
        answer.outcome = .failed(FetchFailure(.badAnswer, detail))
      } else if let next {
        request.url = next
        continue
      } else {
        answer.outcome = .fetched(FetchedBody(bytes), fields)
      }
      return answer
    }
  }
}
