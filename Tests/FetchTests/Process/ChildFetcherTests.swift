import Dispatch
import Fetch
import Files
import Glibc
import TestSupport

@Suite struct ChildFetcherTests {
  static func child(
    _ server: ScriptedServer, program: String = BuiltProduct.worker,
    environment: [String: String] = [:], _ change: (inout FetchSettings) -> Void = { _ in }
  ) -> ChildFetcher {
    ChildFetcher(
      Fetching.settings([server.port], change), program: program, environment: environment)
  }

  @Test func `every kind of response is passed on`() throws {
    let server = try ScriptedServer { asked in
      switch asked.target {
      case "/same": [.answer(304, ["ETag": "\"a\""])]
      case "/gone": [.answer(404)]
      default: [.answer(200, ["ETag": "\"é\"", "Cache-Control": "max-age=9"], text: "x")]
      }
    }
    let child = Self.child(server)
    #expect(child.processID == nil, "nothing starts before the first request")
    let answer = try #require(child.fetcher.get(server.url()))
    #expect(answer.text == "x")
    guard case .fetched(_, let fields) = answer.outcome else { return }
    #expect(fields["cache-control"] == "max-age=9")
    #expect(fields["etag"] == "\"é\"")
    #expect(fields.host == server.host)
    #expect(answer.total.requests == 1 && answer.total.bytes == 1)
    #expect(answer.cost.seconds > 0)
    let same = child.fetcher.get(server.url("/same"), Validators(etag: "\"a\""))
    guard case .notModified = same?.outcome else {
      Issue.record("\(String(describing: same))")
      return
    }
    #expect(server.requests("/same").first?["if-none-match"] == "\"a\"")
    let gone = child.fetcher.get(server.url("/gone"))?.failure
    #expect(gone?.reason == .notFound && gone?.status == 404)
    #expect(child.fetcher.get("ftp://a/")?.failure?.reason == .badAddress)
    let long = "http://a/" + String(repeating: "a", count: 2 << 20)
    #expect(child.fetcher.get(long)?.failure?.reason == .badAddress)
    #expect(child.processID != nil)
  }

  @Test func `a large body is passed on as a file`() throws {
    let folder = TemporaryFolder()
    let bytes = Data((0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
    let server = try ScriptedServer { _ in [.answer(body: bytes)] }
    let child = Self.child(server) { $0.spool = folder.path }
    guard case .fetched(let body, _) = child.fetcher.get(server.url())?.outcome else {
      Issue.record("expected a response body")
      return
    }
    #expect(body.isSpooled && body.count == bytes.count)
    #expect(try body.read() == bytes)
    #expect(folder.list() == [])
  }

  /// The partial body of the interrupted attempt is discarded.
  @Test(arguments: [3, 1 << 20]) func `a retried body starts from the beginning`(count: Int) throws
  {
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let server = try ScriptedServer { asked in
      if asked.attempt > 1 { return [.answer(body: bytes)] }
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"
      return [.bytes(Array(head.utf8) + [UInt8](repeating: 9, count: 1 << 20)), .close]
    }
    let answer = Self.child(server).fetcher.get(server.url())
    guard case .fetched(let body, _) = answer?.outcome else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(try body.read() == bytes)
    #expect(server.requests.count == 2)
  }

  @Test func `cancelling a request cancels it in the fetcher`() throws {
    let server = try ScriptedServer { asked in
      asked.target == "/never" ? [.hold] : [.answer(text: "x")]
    }
    let child = Self.child(server)
    let ticket = child.fetcher.begin(FetchRequest(server.url("/never"))) { _ in
      Issue.record("a response arrived for a cancelled request")
    }
    #expect(eventually { server.unfinished == 1 })
    ticket()
    #expect(server.isAbandoned())
    #expect(child.fetcher.get(server.url())?.text == "x")
  }

  @Test func `closing the fetcher stops its process and cancels all requests`() throws {
    let server = try ScriptedServer { _ in [.hold] }
    let child = Self.child(server)
    let waiting = Waiting()
    _ = child.fetcher.begin(FetchRequest(server.url())) { waiting.take($0) }
    #expect(eventually { server.unfinished == 1 })
    let process = try #require(child.processID)
    child.close()
    #expect(waiting.answer()?.failure?.reason == .cancelled)
    #expect(child.fetcher.get(server.url())?.failure?.reason == .cancelled)
    #expect(kill(process, 0) != 0)
  }

  @Test func `a fetcher exits when its build exits`() throws {
    let run = try RunningProgram([BuiltProduct.worker, Version.current, "network"])
    #expect(try run.ending().status == 0)
  }

  /// The fetcher program may be left over from an older version.
  @Test(arguments: [[], ["0.0.9"]])
  func `a fetcher from a different version exits immediately`(words: [String]) throws {
    let run = try RunningProgram([BuiltProduct.worker] + words).ending()
    #expect(run.status == 2 && run.err.hasPrefix("this is version \(Version.current), "))
  }

  /// Runs in a child process with a limit on file sizes, which acts like a full disk.
  @Test func `a full disk is reported as a local failure`() async {
    await #expect(processExitsWith: .success) {
      _ = signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 19, rlim_max: 1 << 19)
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let folder = TemporaryFolder()
      let server = try ScriptedServer { _ in [.answer(body: Data(count: 1 << 20))] }
      let child = ChildFetcherTests.child(server) { $0.spool = folder.path }
      let failure = child.fetcher.get(server.url())?.failure
      precondition(failure?.reason == .spoolFailed, "\(String(describing: failure))")
      precondition(failure?.detail.contains("cannot write the body to a file") == true)
    }
  }

  @Test func `the fetcher's environment contains only network settings`() throws {
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let environment = [
      "SECRET": "a", "HOME": "/root", "PATH": "/bin", "RES_OPTIONS": "attempts:1",
      "https_proxy": "http://127.0.0.1:1", "LD_PRELOAD": "", "SSLKEYLOGFILE": "/tmp/keys",
    ]
    for (proxy, isProxied) in [(ProxyChoice.none, false), (.environment, true)] {
      let child = Self.child(server, environment: environment) { $0.proxy = proxy }
      #expect(child.fetcher.get(server.url())?.text == "x")
      let process = try #require(child.processID)
      let text = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
      let names = Set(
        text.split(separator: 0).compactMap { line in
          line.split(separator: UInt8(ascii: "=")).first.map { String(decoding: $0, as: UTF8.self) }
        })
      #expect(
        names == Set(["RES_OPTIONS", "SWIFT_BACKTRACE"] + (isProxied ? ["https_proxy"] : [])))
    }
  }
}
