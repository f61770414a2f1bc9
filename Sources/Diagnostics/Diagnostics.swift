/// All that is worth telling the user, without doubles, sorted by location when it is read.
///
/// A broken file may have a million mistakes: only the first `limit` of each severity are kept,
/// the others are counted.
package struct Diagnostics: Codable, Sendable {
  private var kept: Set<Diagnostic> = []
  private var keptCounts: [Diagnostic.Severity: Int] = [:]
  private var counts: [Diagnostic.Severity: Int] = [:]
  private let limit: Int

  package init(limit: Int = 1_000) {
    self.limit = limit
  }

  package mutating func add(_ diagnostic: Diagnostic) {
    let severity = diagnostic.severity
    guard !kept.contains(diagnostic) else { return }
    counts[severity, default: 0] += 1
    guard keptCounts[severity, default: 0] < limit else { return }
    keptCounts[severity, default: 0] += 1
    kept.insert(diagnostic)
  }

  package mutating func add(contentsOf others: Diagnostics) {
    for diagnostic in others.sorted { add(diagnostic) }
    for severity in Diagnostic.Severity.allCases {
      counts[severity, default: 0] +=
        others.count(severity) - others.keptCounts[severity, default: 0]
    }
  }

  /// The same after a change to each; those for which `change` is false are left out.
  package func changed(_ change: (inout Diagnostic) -> Bool) -> Diagnostics {
    var result = self
    result.kept = []
    for var diagnostic in kept {
      if change(&diagnostic) {
        result.kept.insert(diagnostic)
      } else {
        result.counts[diagnostic.severity, default: 0] -= 1
        result.keptCounts[diagnostic.severity, default: 0] -= 1
      }
    }
    return result
  }

  /// How many there were, kept or not.
  package func count(_ severity: Diagnostic.Severity) -> Int {
    counts[severity, default: 0]
  }

  package var hasErrors: Bool { count(.error) > 0 }
  /// Whether `--strict` keeps a site from being published.
  package var hasFlaws: Bool { hasErrors || count(.warning) > 0 }
  package var isEmpty: Bool { counts.values.allSatisfy { $0 == 0 } }

  /// Those kept, by location; those without one come last.
  package var sorted: [Diagnostic] { kept.sorted(by: Diagnostic.precedes) }

  /// What is printed, by location, errors kept before the rest, and how many are left out.
  package func excerpt(
    atLeast least: Diagnostic.Severity = .note, limit: Int = 100
  ) -> (shown: [Diagnostic], left: Int) {
    let urgent = kept.filter { $0.severity >= least }.sorted {
      $0.severity == $1.severity ? Diagnostic.precedes($0, $1) : $0.severity > $1.severity
    }
    let shown = urgent.prefix(limit).sorted(by: Diagnostic.precedes)
    let all = Diagnostic.Severity.allCases.filter { $0 >= least }.reduce(0) { $0 + count($1) }
    return (shown, all - shown.count)
  }

  /// The same as text, one line or more for each.
  package func lines(limit: Int = 100) -> [String] {
    let (shown, left) = excerpt(limit: limit)
    return shown.flatMap(\.lines) + (left > 0 ? ["and \(left) more"] : [])
  }
}

extension Diagnostic {
  /// By location, then by what decides between two at one location; the same on every run.
  fileprivate static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
    switch (left.location, right.location) {
    case (let first?, let second?) where first != second: return first < second
    case (_?, nil): return true
    case (nil, _?): return false
    default: break
    }
    if left.severity != right.severity { return left.severity > right.severity }
    let first = [left.path ?? "", left.id, left.message, left.note ?? "", left.help ?? ""]
    let second = [right.path ?? "", right.id, right.message, right.note ?? "", right.help ?? ""]
    return first.lexicographicallyPrecedes(second)
  }
}

extension Diagnostics: ExpressibleByArrayLiteral {
  package init(arrayLiteral diagnostics: Diagnostic...) {
    self.init()
    for diagnostic in diagnostics { add(diagnostic) }
  }
}
