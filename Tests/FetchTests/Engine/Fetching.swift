import Fetch
import Files
import TestSupport

/// Engines that may connect to this machine and retry immediately.
enum Fetching {
  static func settings(
    _ ports: [UInt16], _ change: (inout FetchSettings) -> Void = { _ in }
  ) -> FetchSettings {
    var settings = FetchSettings()
    settings.policy.hosts = ["127.0.0.1"]
    settings.policy.ports = ports
    settings.backOff = .milliseconds(5)
    // Long limits, so that a busy machine causes no timeouts; tests of timeouts shorten them.
    settings.time = .seconds(60)
    settings.connectTime = .seconds(60)
    settings.slowTime = .seconds(60)
    change(&settings)
    return settings
  }

  static func engine(
    _ server: ScriptedServer, _ change: (inout FetchSettings) -> Void = { _ in }
  ) -> ChildFetcher {
    engine(settings([server.port], change))
  }

  static func engine(_ settings: FetchSettings) -> ChildFetcher {
    ChildFetcher(settings, program: BuiltProduct.worker)
  }
}

extension ChildFetcher {
  var fetcher: ChildFetcher { self }

  func get(_ url: String, _ validators: Validators = Validators()) -> FetchAnswer? {
    let waiting = Waiting()
    let ticket = begin(FetchRequest(url, validators: validators)) { waiting.take($0) }
    defer { ticket() }
    return waiting.answer()
  }

  func all(
    _ requests: [FetchRequest], isCancelled: () -> Bool = { false },
    receive: (Int, FetchAnswer) throws -> Void
  ) throws {
    try all(requests, isCancelled: isCancelled) { answers in
      for (index, answer) in answers {
        try receive(index, answer)
        if isCancelled() { throw CancellationError() }
      }
    }
  }
}

final class Waiting: Sendable {
  private let answers = Locked<[FetchAnswer]>([])

  func take(_ answer: FetchAnswer) { answers.withLock { $0.append(answer) } }

  var count: Int { answers.withLock(\.count) }

  /// Returns the first response, or nil on timeout.
  func answer() -> FetchAnswer? {
    _ = eventually { count > 0 }
    return answers.withLock(\.first)
  }
}

extension FetchAnswer {
  var text: String? {
    guard case .fetched(let body, _) = outcome, let bytes = try? body.read() else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  var failure: FetchFailure? {
    guard case .failed(let failure) = outcome else { return nil }
    return failure
  }

  var total: FetchCost.PerHost {
    var total = FetchCost.PerHost()
    for host in cost.hosts.values {
      total.requests += host.requests
      total.retries += host.retries
      total.bytes += host.bytes
      total.reused += host.reused
    }
    return total
  }
}
