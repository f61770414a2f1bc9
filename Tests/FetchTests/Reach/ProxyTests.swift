import Fetch
import Glibc
import TestSupport
import Transfers

@Suite struct ProxyTests {
  private func proxies(_ environment: [String: String]) -> Proxies {
    Proxies(.environment, environment: environment)
  }

  @Test func `proxy settings are read from the environment, except upper-case HTTP_PROXY`() throws {
    let http = try WebAddress("http://example.com/")
    let https = try WebAddress("https://example.com/")
    #expect(proxies(["http_proxy": "http://p:1"]).proxy(for: http) == "http://p:1")
    #expect(proxies(["http_proxy": "http://p:1"]).proxy(for: https) == nil)
    #expect(proxies(["HTTP_PROXY": "http://p:1"]).proxy(for: http) == nil)
    #expect(proxies(["https_proxy": "http://p:1"]).proxy(for: https) == "http://p:1")
    #expect(proxies(["HTTPS_PROXY": "http://p:1"]).proxy(for: https) == "http://p:1")
    #expect(proxies(["all_proxy": "http://p:1"]).proxy(for: http) == "http://p:1")
    #expect(
      proxies(["all_proxy": "http://p:1", "http_proxy": ""]).proxy(for: http) == "http://p:1")
    #expect(Proxies(.none, environment: ["http_proxy": "http://p:1"]).proxy(for: http) == nil)
    let reported = Proxies(.url("http://q:2"), environment: ["no_proxy": "*"])
    #expect(reported.proxy(for: http) == "http://q:2")
    #expect(reported.proxy(for: https) == "http://q:2")
  }

  @Test(arguments: [
    ("example.com", "http://example.com/", true), ("example.com", "http://a.example.com/", true),
    (".example.com", "http://example.com/", true), ("*.example.com", "http://a.example.com/", true),
    ("example.com", "http://badexample.com/", false), ("Example.COM.", "http://example.com/", true),
    ("example.com:8080", "http://example.com/", false),
    ("a, b example.com", "http://example.com/", true),
    ("example.com:80", "http://example.com/", true), ("*", "http://example.com/", true),
    ("10.0.0.0/8", "http://10.1.2.3/", true), ("10.0.0.0/8", "http://11.1.2.3/", false),
    ("10.1.2.3", "http://10.1.2.3/", true), ("::1", "http://[::1]/", true),
    ("", "http://a/", false),
    (",", "http://example.com/", false), ("com", "http://example.com/", true),
  ]) func `no_proxy exceptions are matched`(exceptions: String, url: String, isExcepted: Bool)
    throws
  {
    let proxies = proxies(["http_proxy": "http://p:1", "no_proxy": exceptions])
    #expect((proxies.proxy(for: try WebAddress(url)) == nil) == isExcepted)
  }

  @Test func `a proxy may have any address, but is not used for private URLs`() throws {
    let proxy = try ScriptedServer { asked in [.answer(text: asked.target)] }
    var settings = FetchSettings()
    settings.proxy = .url("http://127.0.0.1:\(proxy.port)")
    let fetcher = Fetching.engine(settings).fetcher
    #expect(fetcher.get("http://example.invalid/a")?.text == "http://example.invalid/a")
    for url in ["http://127.0.0.1/", "http://10.0.0.1/", "http://localhost/", "http://[::1]/"] {
      #expect(fetcher.get(url)?.failure?.reason == .addressNotPublic)
    }
    #expect(proxy.requests.count == 1)
  }

  @Test func `without TLS, headers are sent only to allowed hosts, never to a proxy`() throws {
    let proxy = try ScriptedServer { _ in [.answer(text: "there")] }
    var settings = Fetching.settings([proxy.port])
    func reason(_ url: String) -> FetchReason? {
      let waiting = Waiting()
      var request = FetchRequest(url)
      (request.headers, request.origin) = (["x-secret: a"], url)
      let engine = Fetching.engine(settings)
      _ = engine.fetcher.begin(request) { waiting.take($0) }
      return waiting.answer()?.failure?.reason
    }
    #expect(reason(proxy.url()) == nil)
    #expect(reason("http://example.com/") == .badAddress)
    settings.proxy = .url(proxy.url(""))
    #expect(reason(proxy.url()) == .badAddress)
    #expect(proxy.requests.map { $0["x-secret"] } == ["a"])
  }

  @Test func `a request fails if the proxy refuses it`() throws {
    let proxy = try ScriptedServer { _ in [.answer(407)] }
    var settings = FetchSettings()
    settings.retries = 0
    settings.proxy = .url("http://user:word@127.0.0.1:\(proxy.port)")
    let fetcher = Fetching.engine(settings).fetcher
    let plain = fetcher.get("http://example.invalid/")?.failure
    #expect(plain?.reason == .httpRefused && plain?.status == 407)
    let secure = fetcher.get("https://example.invalid/")?.failure
    #expect(secure?.reason == .connectionFailed, "\(String(describing: secure))")
    #expect(secure?.detail.contains("407") == true)
    #expect(secure?.detail.contains("word") == false)
  }

  /// N13: a proxy is used only if the site enables it; offline, the cache is used.
  ///
  /// Runs in a child process, because the environment is shared.
  @Test func `proxy variables are ignored unless enabled`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try ScriptedServer { _ in [.answer(text: "proxy")] }
      let server = try ScriptedServer { _ in [.answer(text: "server")] }
      for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"] {
        _ = unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
      }
      precondition(Fetching.engine(server).fetcher.get(server.url())?.text == "server")
      let reported = Fetching.engine(server) { $0.proxy = .environment }
      precondition(reported.fetcher.get(server.url())?.text == "proxy")
      _ = unsafe setenv("no_proxy", "127.0.0.1", 1)
      let excepted = Fetching.engine(server) { $0.proxy = .environment }
      precondition(excepted.fetcher.get(server.url())?.text == "server")
    }
  }
}
