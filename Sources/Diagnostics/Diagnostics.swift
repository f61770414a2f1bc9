/// A run's diagnostics, without duplicates.
///
/// A broken file may cause a million errors, so only the first `limit` of each kind are kept;
/// the others are counted.
package struct Diagnostics: Codable, Sendable {
  private var kept: [Diagnostic.Kind: Set<Diagnostic>] = [:]
  private var kinds: [Diagnostic.Kind: Int] = [:]
  private var counts: [Diagnostic.Severity: Int] = [:]
  private let limit: Int

  package init(limit: Int = 1_000) {
    self.limit = limit
  }

  package mutating func add(_ diagnostic: Diagnostic) {
    var kind = diagnostic.kind
    // Limit the kinds too: a million unknown keys would be a million kinds.
    if kinds[kind] == nil, kinds.count >= limit { kind.path = nil }
    guard kept[kind]?.contains(diagnostic) != true else { return }
    count(1, of: kind)
    if kept[kind, default: []].count < limit { kept[kind, default: []].insert(diagnostic) }
  }

  package mutating func add(contentsOf others: Diagnostics) {
    for diagnostic in others.sorted { add(diagnostic) }
    for (kind, ones) in others.kept { count(others.kinds[kind, default: 0] - ones.count, of: kind) }
  }

  private mutating func count(_ more: Int, of kind: Diagnostic.Kind) {
    kinds[kind, default: 0] += more
    counts[kind.severity, default: 0] += more
  }

  /// Applies `change` to each diagnostic, and drops those for which it returns false.
  package func changed(_ change: (inout Diagnostic) -> Bool) -> Diagnostics {
    var result = Diagnostics(limit: limit)
    for (kind, ones) in kept {
      for var one in ones where change(&one) { result.add(one) }
      result.count(kinds[kind, default: 0] - ones.count, of: kind)
    }
    return result
  }

  /// Returns the number of diagnostics of a severity, including those that were not kept.
  package func count(_ severity: Diagnostic.Severity) -> Int {
    counts[severity, default: 0]
  }

  package var hasErrors: Bool { count(.error) > 0 }
  /// Whether `--strict` prevents publishing.
  package var hasFlaws: Bool { hasErrors || count(.warning) > 0 }
  package var isEmpty: Bool { counts.values.allSatisfy { $0 == 0 } }

  package var sorted: [Diagnostic] { kept.values.joined().sorted(by: Diagnostic.precedes) }

  /// Returns the diagnostics to print, sorted by location, and the number of omitted ones.
  ///
  /// Errors have priority. Three or more of a kind become one diagnostic with their count and first
  /// three locations. If adjacent diagnostics share a note or help, only the last one keeps it.
  package func excerpt(
    atLeast least: Diagnostic.Severity = .note, limit: Int = 100
  ) -> (shown: [Diagnostic], left: Int) {
    let all = kept.filter { $0.key.severity >= least }
      .flatMap { kind, ones -> [(one: Diagnostic, count: Int)] in
        let (ones, count) = (ones.sorted(by: Diagnostic.precedes), kinds[kind, default: 0])
        return count > 2
          ? [(ones[0].first(of: count, ones.dropFirst()), count)] : ones.map { ($0, 1) }
      }
      .sorted {
        $0.one.severity == $1.one.severity
          ? Diagnostic.precedes($0.one, $1.one) : $0.one.severity > $1.one.severity
      }
    var shown = all.prefix(limit).map(\.one).sorted(by: Diagnostic.precedes)
    for (index, next) in shown.dropFirst().enumerated() where shown[index].kind == next.kind {
      if shown[index].note == next.note { shown[index].note = nil }
      if shown[index].help == next.help { shown[index].help = nil }
    }
    return (shown, all.dropFirst(limit).reduce(0) { $0 + $1.count })
  }
}

extension Diagnostic {
  fileprivate struct Kind: Codable, Hashable {
    let severity: Severity
    let id: String
    /// The path without indices, as in `users[].avatar`.
    var path: String?
  }

  fileprivate var kind: Kind {
    let parts = path?.split(separator: "[", omittingEmptySubsequences: false).map { part in
      part.drop { $0.isNumber }
    }
    return Kind(severity: severity, id: id, path: parts?.joined(separator: "["))
  }

  fileprivate func first(of count: Int, _ others: some Sequence<Diagnostic>) -> Diagnostic {
    var first = self
    first.message += " (first of \(count))"
    let places = others.prefix(2).compactMap { $0.location?.description ?? $0.path }
    if !places.isEmpty {
      let start = note.map { $0 + "; " } ?? ""
      first.note = "\(start)the next are at \(places.joined(separator: ", "))"
    }
    return first
  }

  /// Orders diagnostics by location, then by the other properties, to make the order deterministic.
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
