/// All that is worth telling the user, without doubles, sorted by location when it is read.
///
/// A broken file may have a million mistakes: only the first `limit` of each severity are kept,
/// the others are counted.
package struct Diagnostics: Codable, Sendable {
  private var kept: [Diagnostic.Severity: Set<Diagnostic>] = [:]
  private var counts: [Diagnostic.Severity: Int] = [:]
  private let limit: Int

  package init(limit: Int = 1_000) {
    self.limit = limit
  }

  package mutating func add(_ diagnostic: Diagnostic) {
    let severity = diagnostic.severity
    guard kept[severity]?.contains(diagnostic) != true else { return }
    counts[severity, default: 0] += 1
    guard kept[severity]?.count ?? 0 < limit else { return }
    kept[severity, default: []].insert(diagnostic)
  }

  package mutating func add(contentsOf others: Diagnostics) {
    for diagnostic in others.sorted { add(diagnostic) }
    for severity in Diagnostic.Severity.allCases {
      counts[severity, default: 0] +=
        others.count(severity) - others.kept[severity, default: []].count
    }
  }

  /// The same after a change to each; those for which `change` is false are left out.
  package func changed(_ change: (inout Diagnostic) -> Bool) -> Diagnostics {
    var result = self
    result.kept = [:]
    for var diagnostic in kept.values.joined() {
      let severity = diagnostic.severity
      if change(&diagnostic) {
        result.kept[severity, default: []].insert(diagnostic)
      } else {
        result.counts[severity, default: 0] -= 1
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
  package var sorted: [Diagnostic] { kept.values.joined().sorted(by: Diagnostic.precedes) }

  /// What is printed, by location, errors kept before the rest, and how many are left out.
  package func excerpt(
    atLeast least: Diagnostic.Severity = .note, limit: Int = 100
  ) -> (shown: [Diagnostic], left: Int) {
    let urgent = kept.filter { $0.key >= least }.values.joined().sorted {
      $0.severity == $1.severity ? Diagnostic.precedes($0, $1) : $0.severity > $1.severity
    }
    let shown = urgent.prefix(limit).sorted(by: Diagnostic.precedes)
    let all = Diagnostic.Severity.allCases.filter { $0 >= least }.reduce(0) { $0 + count($1) }
    return (shown, all - shown.count)
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
