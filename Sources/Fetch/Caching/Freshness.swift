/// How long an answer may be used without asking again: RFC 9111 for a cache of one's own.
///
/// What is said twice or makes no sense is read as strictly as it can be: it costs a question,
/// while the opposite would cost a picture that is out of date.
package enum Freshness {
  /// Nothing is used longer, whatever a server promises: seven days.
  package static let longest: Int64 = 7 * 86_400
  /// When all we know is how long ago something has changed.
  fileprivate static let longestGuess: Int64 = 86_400

  /// Until when an answer may be used without asking.
  ///
  /// - Parameters:
  ///   - fields: Of an answer with status 200 or 304.
  ///   - askedAt: When the request was sent.
  ///   - answeredAt: When the answer began to come.
  /// - Returns: Seconds since 1970; 0 for never.
  package static func until(_ fields: HTTPFields, askedAt: Int64, answeredAt: Int64) -> Int64 {
    let moment = Moment(fields, askedAt: askedAt, answeredAt: answeredAt)
    guard years.contains(answeredAt), let age = moment.age(fields) else { return 0 }
    let left = moment.lifetime(fields) - age
    return left > 0 ? answeredAt + min(left, longest) : 0
  }

  /// Of a clock: from 1970 to 9999.
  private static let years: ClosedRange<Int64> = 0...253_402_300_799
}

/// When something came, by both clocks.
private struct Moment {
  /// By the server's clock; nil when what it says is no date.
  let date: Int64?
  let answeredAt: Int64
  /// How long it was on the way.
  let delay: Int64

  init(_ fields: HTTPFields, askedAt: Int64, answeredAt: Int64) {
    // Without a date, when it came stands for it (RFC 9110, 6.6.1).
    date = fields["date"].map { HTTPDate.seconds($0, now: answeredAt) } ?? answeredAt
    self.answeredAt = answeredAt
    delay =
      answeredAt.subtractingReportingOverflow(askedAt).overflow
      ? DeltaSeconds.largest : max(0, answeredAt - askedAt)
  }

  /// How old it was when it came (RFC 9111, 4.2.3); nil when nobody can tell.
  func age(_ fields: HTTPFields) -> Int64? {
    var told: Int64 = 0
    if let field = fields["age"] {
      for part in field.split(separator: ",", omittingEmptySubsequences: false) {
        guard let age = DeltaSeconds.read(part.trimmingBlanks) else { return nil }
        told = max(told, age)
      }
    }
    let apparent = date.map { max(0, answeredAt - $0) } ?? 0
    return max(apparent, told + delay)
  }

  /// From when it was made (RFC 9111, 4.2.1 and 4.2.2).
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
      return HTTPDate.seconds(expires, now: answeredAt).map { max(0, $0 - date) } ?? 0
    }
    guard let changed = fields["last-modified"],
      let changed = HTTPDate.seconds(changed, now: answeredAt)
    else { return 0 }
    return min(max(0, date - changed) / 10, Freshness.longestGuess)
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
