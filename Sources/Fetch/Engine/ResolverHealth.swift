/// Says whether it is of any use to ask for names.
///
/// Knows nothing of networks, and is told the time.
package struct ResolverHealth {
  private let patience: Int
  private var known: Set<String> = []
  /// Names whose question nobody answered, since one was answered last.
  private var unanswered: Set<String> = []
  private var silentUntil: Duration?

  /// - Parameter patience: So many names one after the other without an answer.
  package init(patience: Int) {
    self.patience = max(patience, 1)
  }

  /// What became of the question for a name.
  package enum Answer {
    /// It leads somewhere.
    case found
    /// There is no such name.
    case none
    /// Nobody answered.
    case silence
  }

  /// Takes what became of a question.
  ///
  /// - Returns: Whether names that are not known are of no use from now on.
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
      // Somebody may look again after so long.
      silentUntil = now + HostQueue.rest
      return true
    }
  }

  /// Whether nobody would say where a name leads.
  package func isSilent(about name: String, now: Duration) -> Bool {
    guard let silentUntil, now < silentUntil else { return false }
    return !known.contains(name) && InternetAddress(name) == nil
  }
}
