package import Fetch
import Files

/// Finds the Libravatar servers that domains have of their own.
///
/// A domain is looked up once, however many people are there and whoever asks at the same time.
package final class Federation: Sendable {
  private let lookUp: @Sendable (String) -> ServiceRecords.Answer
  private let state = Guarded(State())

  private struct State {
    var domains: [String: Domain] = [:]
    /// Failures one after the other.
    var failures = 0
  }

  /// What is known of one domain; whoever asks for it waits for who asked first.
  private typealias Domain = Guarded<Knowledge>

  private enum Knowledge {
    case nothing
    case server(String)
    case noServer
  }

  /// So many failures one after the other, and nobody is asked any more.
  private static let patience = 4

  /// Asks the system's name servers, unless told otherwise.
  package init(
    lookUp: @escaping @Sendable (String) -> ServiceRecords.Answer = { ServiceRecords.lookUp($0) }
  ) {
    self.lookUp = lookUp
  }

  /// The beginning of the addresses of a domain's server, such as `https://avatars.example.org`.
  ///
  /// - Parameter domain: Of a mail address, in lower case.
  /// - Returns: Nil when it has none, or when nobody can tell.
  package func base(of domain: String) -> String? {
    guard !domain.isEmpty else { return nil }
    let known = state.withLock { state in
      let known = state.domains[domain] ?? Domain(.nothing)
      state.domains[domain] = known
      return known
    }
    return known.withLock { knowledge in
      if case .nothing = knowledge {
        knowledge = find(domain).map { .server($0) } ?? .noServer
      }
      return if case .server(let base) = knowledge { base } else { nil }
    }
  }

  /// A server that can be asked safely comes first.
  private func find(_ domain: String) -> String? {
    for (service, scheme, port) in [
      ("_avatars-sec._tcp", "https", 443), ("_avatars._tcp", "http", 80),
    ] {
      guard state.withLock({ $0.failures < Self.patience }) else { return nil }
      let answer = lookUp("\(service).\(domain)")
      state.withLock { $0.failures = answer == .failed ? $0.failures + 1 : 0 }
      switch answer {
      case .found(let host, let found):
        return "\(scheme)://\(host)" + (found == port ? "" : ":\(found)")
      case .none: continue
      // Who does not answer once is not asked twice.
      case .failed: return nil
      }
    }
    return nil
  }
}
