import Fetch
import Glibc
import TestSupport
import Transfers

@Suite struct CanaryTests {
  /// N2: every spelling of a local address is rejected.
  @Test(arguments: [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f000001", "0X7F.0.0.1", "0177.1",
    "0177.0.0.01", "017700000001", "127.0.0.1.", "127.1.", "0x7f.1.", "127%2e0%2e0%2e1",
    "%31%32%37.0.0.1", "127。0。0。1", "127．0．0．1", "１２７.0.0.1", "①②⑦.0.0.1", "127.0.0.2",
    "127.255.255.254", "0.0.0.0", "0", "00", "0x0", "0.0", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0:0:0:0:0:ffff:127.0.0.1]",
    "localhost", "LOCALHOST", "localhost.", "LocalHost.", "a.localhost", "ip6-localhost",
    "loc%61lhost", "ｌｏｃａｌｈｏｓｔ", "local\u{AD}host", "local\u{200B}host", "127.0.0.1\u{200B}",
    "127.0.0.\u{FEFF}1", "0127.1", "127.0x1", "127.0.0.0x1", "127.000000001",
    "user@127.0.0.1", "127.0.0.1@127.0.0.1", "127.0.0.1#@", "127.0.0.1?@", "127.0.0.1\\@a",
    "a%40127.0.0.1", "127.0.0.1:80@127.0.0.1", "[::1%25lo]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "4294967296", "256.0.0.1", "127..1", ".127.0.0.1", "127.0.0.1..",
  ]) func `a local address is unreachable, however it is spelled`(host: String) throws {
    let canary = try ScriptedServer(address: "0.0.0.0") { _ in [.answer(text: "inside")] }
    var settings = FetchSettings()
    settings.policy.ports = [canary.port]
    settings.time = .seconds(10)
    settings.retries = 0
    let engine = Fetching.engine(settings)
    let answer = engine.fetcher.get("http://\(host):\(canary.port)/")
    let reasons: [FetchReason] = [
      .addressNotPublic, .badAddress, .hostNotFound, .portNotAllowed, .timeout, .connectionFailed,
    ]
    #expect(reasons.contains { $0 == answer?.failure?.reason }, "\(String(describing: answer))")
    #expect(canary.connections == 0)
  }

  /// These spellings always mean this machine.
  @Test(arguments: [
    "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.1", "127.0.0.1.", "127。0。0。1", "0.0.0.0",
    "0", "[::1]", "[::ffff:127.0.0.1]", "localhost", "localhost.", "a.localhost",
    "127%2e0%2e0%2e1", "１２７.0.0.1", "ｌｏｃａｌｈｏｓｔ",
  ]) func `local addresses are rejected as non-public`(host: String) {
    let engine = Fetching.engine(FetchSettings())
    let failure = engine.fetcher.get("http://\(host)/")?.failure
    #expect(failure?.reason == .addressNotPublic, "\(String(describing: failure))")
    #expect(failure?.detail.isEmpty == false)
  }

  @Test func `a local host can be allowed by network or by name`() throws {
    let server = try ScriptedServer { _ in [.answer(text: "inside")] }
    var byNetwork = FetchSettings()
    byNetwork.policy.ports = [server.port]
    byNetwork.policy.networks = ["127.0.0.0/8"]
    var byName = FetchSettings()
    byName.policy.ports = [server.port]
    byName.policy.hosts = ["localhost"]
    for host in ["127.0.0.1", "127.1", "localhost"] {
      let url = "http://\(host):\(server.port)/"
      #expect(Fetching.engine(byNetwork).fetcher.get(url)?.text == "inside", "\(host)")
      let isNamed = host == "localhost"
      let answer = Fetching.engine(byName).fetcher.get(url)
      #expect((answer?.text == "inside") == isNamed, "\(host)")
      #expect(isNamed || answer?.failure?.reason == .addressNotPublic)
    }
  }
}
