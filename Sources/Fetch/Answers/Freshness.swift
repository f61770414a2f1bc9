import Bytes

/// How long an answer may be used without asking again (RFC 9111, for a private cache).
///
/// Contradictions and nonsense are read strictly: that costs a request, while the opposite would
/// cost an outdated picture.
package enum Freshness {
  /// Seven days, whatever a server promises.
  package static let longest: Int64 = 7 * 86_400
  /// When only the age of the last change is known.
  fileprivate static let longestGuess: Int64 = 86_400

  /// Until when an answer with status 200 or 304 may be used without asking, in seconds since 1970;
  /// 0 for never.
  package static func until(_ fields: HTTPFields, askedAt: Int64, answeredAt: Int64) -> Int64 {
    let moment = Moment(fields, askedAt: askedAt, answeredAt: answeredAt)
    guard years.contains(answeredAt), let age = moment.age(fields) else { return 0 }
    let left = moment.lifetime(fields) - age
    return left > 0 ? answeredAt + min(left, longest) : 0
  }

  /// From 1970 to 9999.
  private static let years: ClosedRange<Int64> = 0...253_402_300_799
}

/// When an answer came, by both clocks.
private struct Moment {
  /// By the server's clock; nil when it gives no proper date.
  let date: Int64?
  let answeredAt: Int64
  /// Its time on the way.
  let delay: Int64

  init(_ fields: HTTPFields, askedAt: Int64, answeredAt: Int64) {
    // Without a date the time of arrival counts (RFC 9110, 6.6.1).
    date = fields["date"].map { HTTPDate.seconds($0) } ?? answeredAt
    self.answeredAt = answeredAt
    delay =
      answeredAt.subtractingReportingOverflow(askedAt).overflow
      ? DeltaSeconds.largest : max(0, answeredAt - askedAt)
  }

  /// Its age when it came (RFC 9111, 4.2.3); nil when that cannot be known.
  func age(_ fields: HTTPFields) -> Int64? {
    var stated: Int64 = 0
    if let field = fields["age"] {
      for part in field.split(separator: ",", omittingEmptySubsequences: false) {
        guard let age = DeltaSeconds.read(part.trimmingBlanks) else {
          return nil
        }
        stated = max(stated, age)
      }
    }
    let apparent = date.map { max(0, answeredAt - $0) } ?? 0
    return max(apparent, stated + delay)
  }

  /// Counted from its date (RFC 9111, 4.2.1 and 4.2.2).
  func lifetime(_ fields: HTTPFields) -> Int64 {
    let control = CacheControl(fields["cache-control"])
    guard !control.noStore, !control.noCache, !(fields["vary"]?.contains("*") ?? false) else {
      return 0
    }
    if let maxAge = control.maxAge { return maxAge }
    if fields["cache-control"] == nil, let pragma = fields["pragma"],
      pragma.lowercased().contains("no-cache")
    {
      return 0
    }
    guard let date else { return 0 }
    if let expires = fields["expires"] {
      return HTTPDate.seconds(expires).map { max(0, $0 - date) } ?? 0
    }
    guard let changed = fields["last-modified"],
      let changed = HTTPDate.seconds(changed)
    else { return 0 }
    return min(max(0, date - changed) / 10, Freshness.longestGuess)
  }
}
