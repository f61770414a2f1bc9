import Bytes
import Fetch

/// Knows whether the name servers answer.
///
/// Pure: it knows no network and no clock.
package struct ResolverHealth {
  private let patience: Int
  private var known: Set<String> = []
  /// Names without an answer, since the last answer.
  private var unanswered: Set<String> = []
  private var silentUntil: Duration?

  /// - Parameter patience: After so many names without an answer nothing is looked up for a while.
  package init(patience: Int) {
    self.patience = max(patience, 1)
  }

  /// How a lookup went.
  package enum Answer {
    case found
    /// There is no such name.
    case none
    /// Nobody answered.
    case silence
  }

  /// Counts a lookup; true when unknown names are not looked up from now on.
  package mutating func note(_ answer: Answer, of name: String, now: Duration) -> Bool {
    switch answer {
    case .found, .none:
      if answer == .found { known.insert(name) }
      unanswered = []
      silentUntil = nil
      return false
    case .silence:
      unanswered.insert(name)
      guard unanswered.count >= patience else { return false }
      silentUntil = now + HostQueue.rest
      return true
    }
  }

  /// Whether a lookup of the name is of no use now.
  package func isSilent(about name: String, now: Duration) -> Bool {
    guard let silentUntil, now < silentUntil else { return false }
    return !known.contains(name) && InternetAddress(name) == nil
  }
}
