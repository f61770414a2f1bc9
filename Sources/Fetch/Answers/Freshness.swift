import Bytes

/// The freshness lifetime of responses in a private cache (RFC 9111).
///
/// A response with invalid or contradictory fields is treated as stale, which only costs a request.
package enum Freshness {
  /// The maximum lifetime in seconds, even if the server allows more.
  package static let longest: Int64 = 7 * 86_400
  /// The maximum lifetime in seconds if it is estimated from Last-Modified.
  private static let longestGuess: Int64 = 86_400
  private static let years: ClosedRange<Int64> = 0...253_402_300_799

  /// Returns when a response becomes stale, in seconds since 1970; 0 if the response is stale now.
  package static func until(_ fields: HTTPFields, askedAt: Int64, answeredAt: Int64) -> Int64 {
    // Without a Date field, use the time of receipt (RFC 9110, 6.6.1); an invalid date becomes nil.
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

  /// Returns the freshness lifetime in seconds, counted from the date (RFC 9111, 4.2.1 and 4.2.2).
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
