import Fetch
import TestSupport

struct FreshnessTests {
  /// `date` in seconds since 1970.
  static let now: Int64 = 784_111_777
  static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let hour: Int64 = 3600
  static let day: Int64 = 86_400

  /// Returns the lifetime in seconds of a response that arrives at the time in its Date field.
  func freshness(
    _ fields: KeyValuePairs<String, String>, delay: Int64 = 0, later: Int64 = 0
  ) -> Int64 {
    let came = Self.now + later
    let until = Freshness.until(HTTPFields(fields), askedAt: came - delay, answeredAt: came)
    return until == 0 ? 0 : until - came
  }

  /// RFC 9111, 4.2.1: the lifetime is max-age, else Expires minus Date, else a heuristic.
  @Test func `max-age takes precedence over Expires, and Expires over the heuristic`() {
    let expires = "Sun, 06 Nov 1994 10:49:37 GMT"
    let changed = "Sun, 06 Nov 1994 07:49:37 GMT"
    #expect(
      freshness([
        "Date": Self.date, "Cache-Control": "max-age=60", "Expires": expires,
        "Last-Modified": changed,
      ]) == 60)
    #expect(
      freshness(["Date": Self.date, "Expires": expires, "Last-Modified": changed])
        == 2 * Self.hour)
    #expect(freshness(["Date": Self.date, "Last-Modified": changed]) == Self.hour / 10)
    #expect(freshness(["Date": Self.date]) == 0)
    #expect(freshness([:]) == 0)
  }

  /// RFC 9111, 4.2.3: the age is the larger of two estimates.
  @Test func `the lifetime is reduced by the response's age on arrival`() {
    let control = "max-age=600"
    #expect(freshness(["Date": Self.date, "Cache-Control": control, "Age": "100"]) == 500)
    #expect(
      freshness(["Date": Self.date, "Cache-Control": control, "Age": "100"], delay: 30) == 470)
    #expect(freshness(["Date": Self.date, "Cache-Control": control], delay: 30) == 570)
    // By our clock, Date is four minutes ago, which is more than the value of Age.
    #expect(
      freshness(
        ["Date": Self.date, "Cache-Control": control, "Age": "100"], delay: 30, later: 240) == 360)
    // A Date in the future is ignored, because it means that a clock is wrong.
    #expect(freshness(["Date": Self.date, "Cache-Control": control], later: -5000) == 600)
    #expect(freshness(["Date": Self.date, "Cache-Control": control, "Age": "600"]) == 0)
    #expect(freshness(["Date": Self.date, "Cache-Control": control, "Age": "601"]) == 0)
    #expect(freshness(["Date": Self.date, "Cache-Control": control], delay: -50) == 600)
  }

  @Test(arguments: [
    "0", "-1", "", "never", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT",
    "Thu, 01 Jan 1970 00:00:00 GMT", "1994-11-07", "Mon, 07 Nov 1994 08:49:37 CET",
    "Mon, 07 Nov 1994 08:49:37 GMT, Mon, 07 Nov 1994 08:49:37 GMT",
  ]) func `a response with a past or invalid Expires is stale`(expires: String) {
    let changed = "Sun, 06 Nov 1994 07:49:37 GMT"
    #expect(freshness(["Date": Self.date, "Expires": expires, "Last-Modified": changed]) == 0)
    #expect(freshness(["Expires": expires]) == 0)
  }

  @Test func `the heuristic lifetime is a tenth of the time since Last-Modified, up to a day`() {
    func guess(_ changed: String) -> Int64 {
      freshness(["Date": Self.date, "Last-Modified": changed])
    }
    #expect(guess("Sun, 06 Nov 1994 08:49:27 GMT") == 1)
    #expect(guess("Sat, 05 Nov 1994 08:49:37 GMT") == Self.day / 10)
    #expect(guess("Thu, 27 Oct 1994 08:49:37 GMT") == Self.day)
    #expect(guess("Thu, 01 Jan 1970 00:00:00 GMT") == Self.day)
    #expect(guess("Mon, 07 Nov 1994 08:49:37 GMT") == 0)
    #expect(guess("yesterday") == 0)
    #expect(
      freshness(["Last-Modified": "Sat, 05 Nov 1994 08:49:37 GMT"], delay: 40)
        == Self.day / 10 - 40)
  }

  @Test(arguments: [
    ["Cache-Control": "no-store, max-age=600"], ["Cache-Control": "no-cache, max-age=600"],
    ["Cache-Control": "max-age=600, max-age=0"], ["Cache-Control": "max-age=600; private"],
    ["Cache-Control": "max-age=600", "Age": "old"], ["Cache-Control": "max-age=600", "Age": ""],
    ["Cache-Control": "max-age=600", "Age": "-1"],
    ["Cache-Control": "max-age=600", "Age": "10, 600"],
    ["Cache-Control": "max-age=600", "Vary": "*"],
    ["Pragma": "no-cache", "Expires": "Mon, 07 Nov 1994 08:49:37 GMT"],
    ["Date": "today", "Expires": "Mon, 07 Nov 1994 08:49:37 GMT"],
    ["Date": "today", "Last-Modified": "Thu, 27 Oct 1994 08:49:37 GMT"],
  ]) func `a response with duplicate or invalid fields is stale`(fields: [String: String]) {
    var answer = HTTPFields()
    for (name, value) in fields { answer.add(name, value) }
    #expect(Freshness.until(answer, askedAt: Self.now, answeredAt: Self.now) == 0)
  }

  @Test func `directives for shared caches are ignored`() {
    for words in ["private", "must-revalidate", "s-maxage=0", "proxy-revalidate", "immutable"] {
      #expect(freshness(["Cache-Control": "max-age=600, \(words)"]) == 600, "\(words)")
    }
    #expect(freshness(["Cache-Control": "max-age=600", "Vary": "Accept"]) == 600)
    #expect(freshness(["Cache-Control": "max-age=600", "Pragma": "no-cache"]) == 600)
  }

  @Test func `the lifetime is limited to a week`() {
    let week = 7 * Self.day
    #expect(freshness(["Cache-Control": "max-age=31536000"]) == week)
    #expect(freshness(["Cache-Control": "max-age=31536000", "Age": "2000000"]) == week)
    #expect(freshness(["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"]) == week)
    #expect(freshness(["Cache-Control": "max-age=\(Int64.max)"]) == week)
  }

  @Test func `random header fields never extend the lifetime beyond a week`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let names = ["Cache-Control", "Expires", "Date", "Age", "Last-Modified", "Pragma", "Vary"]
    let words = [
      "max-age=", "0", "9", "600", ",", " ", "\"", "\\", "=", "no-store", "no-cache", "*", "-",
      Self.date, "Mon, 07 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "é", "\u{0}", "%",
      "9999999999999999999999",
    ]
    let times = [0, 1, Self.now, -1, .min, .max, 253_402_300_799, 4_000_000_000]
    for _ in 0..<20_000 {
      var fields = HTTPFields()
      for _ in 0...random.next(upTo: 5) {
        let value = (0..<random.next(upTo: 6)).map { _ in words[random.next(upTo: words.count)] }
        fields.add(names[random.next(upTo: names.count)], value.joined())
      }
      let asked = times[random.next(upTo: times.count)]
      let answered = times[random.next(upTo: times.count)]
      let until = Freshness.until(fields, askedAt: asked, answeredAt: answered)
      #expect(
        until == 0 || (until > answered && until <= answered + Freshness.longest),
        "seed \(seed): \(fields), \(asked), \(answered)")
    }
  }
}
