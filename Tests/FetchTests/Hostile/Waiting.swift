import Fetch
import Files
import Foundation
import TestSupport

extension Fetcher {
  /// What is answered; fails with `cancelled` when nothing is for a minute.
  func wait(for request: FetchRequest) -> FetchAnswer {
    let answer = Guarded<FetchAnswer?>(nil)
    let ticket = begin(request) { told in answer.withLock { $0 = told } }
    _ = eventually { answer.withLock { $0 != nil } }
    let told = answer.withLock(\.self)
    if told == nil { ticket.cancel() }
    return told ?? FetchAnswer(.failed(FetchFailure(.cancelled, "nothing for a minute")))
  }
}

extension Fetcher {
  /// Asks for all, and hands on each answer as it comes.
  func all(_ requests: [FetchRequest], receive: (Int, FetchAnswer) throws -> Void) throws {
    try all(requests, isCancelled: { false }, receive: receive)
  }
}

extension FetchAnswer {
  /// The body, if there is one.
  var text: String? {
    guard case .fetched(let body, _) = outcome, let bytes = try? body.read() else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  var failure: FetchFailure? {
    guard case .failed(let failure) = outcome else { return nil }
    return failure
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
