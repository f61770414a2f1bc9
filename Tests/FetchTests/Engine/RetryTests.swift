import Fetch
import TestSupport
import Transfers

@Suite struct RetryTests {
  @Test(arguments: [408, 429, 500, 502, 503, 504, 599])
  func `a temporary error is retried`(status: Int) throws {
    let server = try ScriptedServer { asked in
      if asked.attempt < 3 { [.answer(status)] } else { [.answer(text: "there")] }
    }
    let answer = Fetching.engine(server).fetcher.get(server.url("/a"))
    #expect(answer?.text == "there")
    #expect(answer?.total.requests == 3)
    #expect(answer?.total.retries == 2)
  }

  @Test func `a request is retried at most twice`() throws {
    let server = try ScriptedServer { _ in [.answer(503)] }
    let answer = Fetching.engine(server).fetcher.get(server.url("/a"))
    #expect(answer?.failure?.reason == .serverFailed)
    #expect(answer?.failure?.status == 503)
    #expect(server.requests.count == 3)
  }

  @Test(arguments: ["0", "-1", "soon", "", "Sun, 06 Nov 1994 08:49:37 GMT", "1.5"])
  func `an invalid or past Retry-After is ignored`(wish: String) throws {
    let server = try ScriptedServer { asked in
      if asked.attempt < 2 {
        [.answer(429, ["Retry-After": "\(wish)"])]
      } else {
        [.answer(text: "there")]
      }
    }
    #expect(Fetching.engine(server).fetcher.get(server.url("/a"))?.text == "there")
    #expect(server.requests.count == 2)
  }

  @Test func `a pause that ends during a queue check is not missed`() throws {
    let server = try ScriptedServer { asked in
      if asked.attempt < 2 { [.answer(503)] } else { [.answer(text: "there")] }
    }
    let fetcher = Fetching.engine(server) { $0.backOff = .microseconds(50) }.fetcher
    for number in 0..<100 { #expect(fetcher.get(server.url("/\(number)"))?.text == "there") }
  }

  @Test func `Retry-After applies to all requests to the host`() throws {
    let server = try ScriptedServer { asked in
      if asked.target == "/first", asked.attempt == 1 {
        [.answer(503, ["Retry-After": "2"])]
      } else {
        [.answer(text: "there")]
      }
    }
    let fetcher = Fetching.engine(server) { $0.perHost = 1 }.fetcher
    let answers = (0..<3).map { _ in Waiting() }
    for (index, path) in ["/first", "/b", "/c"].enumerated() {
      _ = fetcher.begin(FetchRequest(server.url(path))) { answers[index].take($0) }
    }
    for answer in answers { #expect(answer.answer()?.text == "there") }
    let all = server.requests.map(\.time)
    let gone: [Duration] = all.map { $0 - all[0] }
    #expect(gone.count == 4)
    #expect(gone.dropFirst().allSatisfy { $0 >= .milliseconds(1900) }, "\(gone)")
  }

  @Test(arguments: [
    "3600", "1000000000", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT",
  ])
  func `a Retry-After beyond the time limit fails all requests to the host`(wish: String) throws {
    let server = try ScriptedServer { _ in [.answer(429, ["Retry-After": "\(wish)"])] }
    let fetcher =
      Fetching.engine(server) {
        $0.perHost = 1
        $0.time = .seconds(30)
      }.fetcher
    let start = ContinuousClock.now
    let answers = (0..<20).map { _ in Waiting() }
    for (index, answer) in answers.enumerated() {
      _ = fetcher.begin(FetchRequest(server.url("/\(index)"))) { answer.take($0) }
    }
    for answer in answers { #expect(answer.answer()?.failure?.reason == .serverFailed) }
    #expect(fetcher.get(server.url("/later"))?.failure?.reason == .serverFailed)
    #expect(server.requests.count == 1)
    #expect(ContinuousClock.now - start < .seconds(50))
  }

  @Test func `a Retry-After date is honoured`() throws {
    let server = try ScriptedServer { asked in
      guard asked.attempt == 1 else { return [.answer(text: "there")] }
      let date = DateFormatter()
      date.locale = Locale(identifier: "en_US_POSIX")
      date.timeZone = TimeZone(identifier: "GMT")
      date.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      return [.answer(503, ["Retry-After": "\(date.string(from: Date() + 3))"])]
    }
    let start = ContinuousClock.now
    #expect(Fetching.engine(server).fetcher.get(server.url())?.text == "there")
    #expect(ContinuousClock.now - start > .seconds(1))
  }

  @Test func `pauses grow up to a limit and are randomized`() {
    let base = Duration.milliseconds(250)
    #expect(BackOff.pause(before: 0, base: base, part: 1) == base)
    #expect(BackOff.pause(before: 1, base: base, part: 1) == base * 2)
    #expect(BackOff.pause(before: 2, base: base, part: 0.5) == base * 2)
    #expect(BackOff.pause(before: 60, base: base, part: 1) == BackOff.longest)
    #expect(BackOff.pause(before: 3, base: base, part: 0) == .zero)
    #expect(BackOff.wanted("120", now: 0) == .seconds(120))
    #expect(BackOff.wanted("Thu, 01 Jan 1970 00:01:00 GMT", now: 20) == .seconds(40))
    #expect(BackOff.wanted("Thu, 01 Jan 1970 00:01:00 GMT", now: 90) == .zero)
    // A host rests for up to a minute, or up to the request's time limit if that is longer.
    let time = Duration.seconds(15)
    #expect(BackOff.rest(.seconds(14), time: time) == .seconds(14))
    #expect(BackOff.rest(.seconds(50), time: time) == .seconds(50))
    #expect(BackOff.rest(.seconds(90), time: time) == .seconds(60))
    #expect(BackOff.rest(.seconds(90), time: .seconds(120)) == .seconds(90))
    for text in [nil, "", "-1", "1.5", "soon", "0x10"] {
      #expect(BackOff.wanted(text, now: 0) == nil)
    }
  }
}
