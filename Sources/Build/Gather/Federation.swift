package import Fetch
import Files

/// Finds the Libravatar servers of domains.
///
/// A domain is looked up once, however many people it has and however many threads ask.
package final class Federation: Sendable {
  private let lookUp: @Sendable (String) -> ServiceRecords.Answer
  private let state = Guarded(State())

  private struct State {
    var domains: [String: Domain] = [:]
    /// Failures in a row.
    var failures = 0
  }

  /// Held while a domain is looked up: threads that ask for it wait.
  private typealias Domain = Guarded<Knowledge>

  private enum Knowledge {
    case nothing
    case server(String)
    case noServer
    /// No name server tells.
    case unknown
  }

  /// After so many failures in a row no name server is asked any more.
  private static let patience = 4

  package init(lookUp: @escaping @Sendable (String) -> ServiceRecords.Answer) {
    self.lookUp = lookUp
  }

  /// The server of a mail address's domain, such as `https://avatars.example.org`; nil when it has
  /// none.
  ///
  /// - Throws: When no name server tells: any other server would be a guess.
  package func base(of domain: String) throws(FetchFailure) -> String? {
    guard !domain.isEmpty else { return nil }
    let known = state.withLock { state in
      let known = state.domains[domain] ?? Domain(.nothing)
      state.domains[domain] = known
      return known
    }
    let knowledge = known.withLock { knowledge in
      if case .nothing = knowledge { knowledge = find(domain) }
      return knowledge
    }
    switch knowledge {
    case .server(let base): return base
    case .noServer: return nil
    case .nothing, .unknown:
      throw FetchFailure(.hostNotFound, "nobody tells which server its domain has")
    }
  }

  /// Looks for a server with TLS first.
  private func find(_ domain: String) -> Knowledge {
    for (service, scheme, port) in [
      ("_avatars-sec._tcp", "https", 443), ("_avatars._tcp", "http", 80),
    ] {
      guard state.withLock({ $0.failures < Self.patience }) else { return .unknown }
      let answer = lookUp("\(service).\(domain)")
      state.withLock { $0.failures = answer == .failed ? $0.failures + 1 : 0 }
      switch answer {
      case .found(let host, let found):
        return .server("\(scheme)://\(host)" + (found == port ? "" : ":\(found)"))
      case .none: continue
      // A second question would fail too.
      case .failed: return .unknown
      }
    }
    return .noServer
  }
}
