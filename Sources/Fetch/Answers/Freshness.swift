import Bytes

/// How long a response is fresh in a private cache (RFC 9111).
///
/// A response with invalid or contradictory fields is stale: a request costs less than a stale
/// picture.
package enum Freshness {
  /// The upper limit, even if the server allows more.
  package static let longest: Int64 = 7 * 86_400
  /// The limit for heuristic freshness, based on Last-Modified.
  private static let longestGuess: Int64 = 86_400
  private static let years: ClosedRange<Int64> = 0...253_402_300_799

  /// The time when a 200 or 304 response becomes stale, in seconds since 1970; 0 if already stale.
  package static func until(_ fields: HTTPFields, askedAt: Int64, answeredAt: Int64) -> Int64 {
    // The Date field; nil if invalid. Without it, the time of receipt is used (RFC 9110, 6.6.1).
    let date = fields["date"].map { HTTPDate.seconds($0) } ?? answeredAt
    guard years.contains(answeredAt), let stated = statedAge(fields) else { return 0 }
    let (passed, overflow) = answeredAt.subtractingReportingOverflow(askedAt)
    let delay = overflow ? DeltaSeconds.largest : max(0, passed)
    // The corrected initial age (RFC 9111, 4.2.3).
    let age = max(date.map { answeredAt - $0 } ?? 0, stated + delay)
    let left = lifetime(fields, from: date) - age
    return left > 0 ? answeredAt + min(left, longest) : 0
  }

  /// Returns the largest Age value; nil if any value is malformed.
  private static func statedAge(_ fields: HTTPFields) -> Int64? {
    let parts = fields["age"]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    let ages = parts.map { DeltaSeconds.read($0.trimmingBlanks) }
    return ages.contains(nil) ? nil : ages.compactMap(\.self).max() ?? 0
  }

  /// Returns the freshness lifetime from the response's date (RFC 9111, 4.2.1 and 4.2.2).
  private static func lifetime(_ fields: HTTPFields, from date: Int64?) -> Int64 {
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
    return min(max(0, date - changed) / 10, longestGuess)
  }
}
