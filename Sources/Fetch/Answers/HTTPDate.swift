import Bytes

/// Dates as HTTP writes them.
package enum HTTPDate {
  /// Reads any of the three forms of RFC 9110; nil for anything else.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
  ///
  /// The result is in seconds since 1970; `now` decides the century of a year of two digits.
  package static func seconds(_ text: some StringProtocol, now: Int64 = 0) -> Int64? {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }).map {
      String($0)
    }
    guard words.count >= 4 else { return nil }
    words.removeFirst()
    if words[0].contains("-") {
      let parts = words[0].split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, let year = number(parts[2], digits: 2) else { return nil }
      // A year that seems more than 50 years ahead is of the century before.
      var full = century(of: now) + year
      if full > Self.year(of: now) + 50 { full -= 100 }
      words.replaceSubrange(0...0, with: [String(parts[0]), String(parts[1]), String(full)])
    } else if number(words[0], digits: 2) == nil {
      // As `asctime` writes it: month, day, time, year.
      guard words.count == 4 else { return nil }
      words = [words[1], words[0], words[3], words[2], "GMT"]
    }
    guard words.count == 5, words[4] == "GMT", let day = number(words[0]), words[0].utf8.count <= 2,
      let month = months.firstIndex(of: words[1]), let year = number(words[2], digits: 4)
    else { return nil }
    let clock = words[3].split(separator: ":", omittingEmptySubsequences: false)
      .map { number($0, digits: 2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return Self.days(year: year, month: month + 1, day: day) * 86400
      + Int64(hour * 3600 + minute * 60 + second)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: some StringProtocol, digits: Int? = nil) -> Int? {
    guard text.utf8.allSatisfy(\.isASCIIDigit), text.utf8.count <= 4,
      digits == nil || text.utf8.count == digits
    else { return nil }
    return Int(text)
  }

  private static func year(of seconds: Int64) -> Int { 1970 + Int(seconds / 31_556_952) }

  private static func century(of seconds: Int64) -> Int { year(of: seconds) / 100 * 100 }

  /// Days since 1970 in the Gregorian calendar, counted in eras of 400 years that begin in March.
  private static func days(year: Int, month: Int, day: Int) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return Int64(era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468)
  }
}
