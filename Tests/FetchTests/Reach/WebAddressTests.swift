import Fetch
import Testing
import Transfers

@Suite struct WebAddressTests {
  @Test(arguments: [
    ("http://example.com", "http://example.com/", "example.com", 80),
    ("HTTPS://Example.COM./a?b#c", "https://example.com/a?b", "example.com", 443),
    ("http://example.com:8080/ü", "http://example.com:8080/%c3%bc", "example.com", 8080),
    ("https://bücher.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443),
    ("http://[2001:DB8::1]:81/", "http://[2001:db8::1]:81/", "[2001:db8::1]", 81),
    ("http://127.1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://2130706433/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://0177.1./", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://127%2e0%2e0%2e1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://0x7f%2e1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://127。0。0。1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://１２７.0.0.1/", "http://127.0.0.1/", "127.0.0.1", 80),
    ("http://example.com\\@127.0.0.1/", "", "", 0),
  ]) func `URLs are normalized for libcurl`(text: String, plain: String, host: String, port: UInt16)
    throws
  {
    guard !plain.isEmpty else {
      #expect(throws: FetchFailure.self) { try WebAddress(text) }
      return
    }
    let address = try WebAddress(text)
    #expect(address.text == plain)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(try WebAddress(address.text) == address)
  }

  @Test(arguments: [
    "", " ", "example.com", "/a", "//example.com/", "file:///etc/passwd", "ftp://example.com/",
    "data:image/png;base64,AA", "javascript:alert(1)", "gopher://example.com/", "http://",
    "http:///", "http://./", "http://../", "http://a../", "https://:80/",
    "http://user@example.com/", "http://user:geheim@example.com/",
    "http://:geheim@example.com/", "http://person%40example.org@example.com/",
    "http://a@b@example.com/", "http://example.com:99999/", "http://example.com:-1/",
    "http://example.com:abc/", "http://exa mple.com/", "http://exam\nple.com/", "http://a\0b/",
    "http://example.com/\0", "http://example.com/\r\nX-Evil: 1", "http://[::1/", "http://[::g]/",
    "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://a%00b/", "http://a%0ab/",
    "http://a%2fb/", "http://a%40b/", "http://.",
    "http://" + String(repeating: "a", count: 9000),
    "http://" + String(repeating: "a.", count: 126) + "aa/",
    "http://a.b/" + String(repeating: "ü", count: 3000),
  ]) func `invalid or forbidden URLs are rejected`(text: String) {
    let failure = #expect(throws: FetchFailure.self) { try WebAddress(text) }
    #expect(failure?.reason == .badAddress)
    for word in ["person", "geheim", "passwd"] { #expect(failure?.detail.contains(word) == false) }
  }

  @Test func `the longest DNS name is accepted`() throws {
    let name = String(repeating: "a.", count: 126) + "a"
    #expect(try WebAddress("http://\(name)./").host == name)
  }

  @Test func `the displayed host includes a non-default port`() throws {
    #expect(try WebAddress("http://a.b/").name == "a.b")
    #expect(try WebAddress("https://a.b/").name == "a.b")
    #expect(try WebAddress("https://a.b:80/").name == "a.b:80")
    #expect(try WebAddress("http://a.b:443/").authority == "a.b:443")
    #expect(try WebAddress("http://a.b:080/").authority == "a.b:80")
  }

  @Test func `HTTPS may redirect only to HTTPS, but HTTP may redirect to either`() throws {
    let plain = try WebAddress("http://a.b/c/d")
    let secure = try WebAddress("https://a.b/c/d")
    #expect(try plain.leading(to: "https://x.y/").text == "https://x.y/")
    #expect(try plain.leading(to: "http://x.y/").text == "http://x.y/")
    #expect(try plain.leading(to: "e f").text == "http://a.b/c/e%20f")
    #expect(try secure.leading(to: "/e").text == "https://a.b/e")
    #expect(try secure.leading(to: "//x.y").text == "https://x.y/")
    for location in ["http://a.b/", "HTTP://a.b", "file:///a", "https://u@a.b/", "http:"] {
      let failure = #expect(throws: FetchFailure.self) { try secure.leading(to: location) }
      #expect(failure?.reason == .redirectRefused, "\(location)")
    }
  }

  /// N5: connections are allowed only to the usual ports and the configured ones.
  @Test(arguments: [0, 1, 21, 22, 25, 79, 81, 444, 6379, 8080, 65535] as [UInt16])
  func `connections are allowed only to standard and configured ports`(port: UInt16) throws {
    guard let address = try? WebAddress("http://example.com:\(port)/") else {
      #expect(port == 0)
      return
    }
    let failure = #expect(throws: FetchFailure.self) {
      try AddressPolicy(NetworkPolicy()).check(address)
    }
    #expect(failure?.reason == .portNotAllowed)
    var reach = NetworkPolicy()
    reach.ports = [port]
    try AddressPolicy(reach).check(address)
  }

  @Test func `local URLs are rejected even with a proxy`() throws {
    let policy = AddressPolicy(NetworkPolicy())
    for text in ["http://localhost/", "http://a.localhost./", "http://127.1/", "http://[::1]/"] {
      let failure = #expect(throws: FetchFailure.self) {
        try policy.check(WebAddress(text), isProxied: true)
      }
      #expect(failure?.reason == .addressNotPublic)
    }
  }
}
