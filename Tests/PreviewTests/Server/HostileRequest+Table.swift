extension HostileRequest {
  static let all = targets + hosts + heads + names + bodies + ranges + pipelines

  /// Path traversal and other misleading paths.
  private static let targets: [HostileRequest] =
    [
      "/../secret.txt", "/people/../../secret.txt", "/%2e%2e/secret.txt", "/%2E./secret.txt",
      "/.%2e/secret.txt", "/people/%2e%2e/%2e%2e/secret.txt", "/..%2fsecret.txt",
      "/%2e%2e%2fsecret.txt", "/..%5csecret.txt", "/..\\secret.txt", "/..%252fsecret.txt",
      "/%252e%252e/secret.txt", "/%c0%ae%c0%ae/secret.txt", "/%e0%80%ae%e0%80%ae/secret.txt",
      "/%c0%afsecret.txt", "/%u002e%u002e/secret.txt", "/..;/secret.txt", "/./index.html",
      "/people/.", "/people/..", "/people//ada/", "//etc/passwd", "//evil.example/people", "/%00",
      "/index.html%00.png", "/index.html%0d%0aSet-Cookie:x", "/a%09b", "/a%7fb", "/%c2%85",
      "/%ff%fe", "/%", "/%4", "/%zz", "/index.html%", "/.hidden", "/%2ehidden", "/.git/config",
      "/people/.hidden/", "/out.txt", "/out/secret.txt", "/away.txt", "/loop.txt", "/index.html/",
      "/index.html/index.html", "/proc/self/environ", "/-/../index.html", "/-/secret", "/-",
      "/index.html#fragment", "http://HOST/index.html", "http://evil.example/",
      "file:///etc/passwd", "index.html", "?", "*",
    ].map { HostileRequest.target($0, 404) } + longTargets

  private static let longTargets: [HostileRequest] = [
    .target("/" + String(repeating: "a", count: 300), 404),
    .target("/" + String(repeating: "a/", count: 1_000), 404),
    .target("/" + String(repeating: "a", count: 2_048), 404),
    .target("/index.html?" + String(repeating: "a", count: 2_048), 200),
    .target("/" + String(repeating: "%41", count: 700), 404),
    .target("/" + String(repeating: "a", count: 60_000), 414),
    HostileRequest(
      "a zero byte ends the target",
      Array("GET /index.html".utf8) + [0]
        + Array(".png HTTP/1.1\r\nHost: HOST\r\n\r\n".utf8), .status(200)),
    HostileRequest(
      "bytes that are no UTF-8 in the target",
      Array("GET /".utf8) + [0xff, 0xc0]
        + Array(" HTTP/1.1\r\nHost: HOST\r\n\r\n".utf8), .status(404)),
  ]

  /// Host names that resolve to this machine but are not the server's.
  private static let hosts: [HostileRequest] =
    [
      "evil.example", "evil.example:80", "localhost", "localhost:1", "127.0.0.1.evil.example:80",
      "localhost.evil.example", "192.168.0.1", "2130706433", "0.0.0.0", "[::]",
      "[::ffff:127.0.0.1]", "::1", "[::1", "user@HOST", "HOST/", "HOST, evil.example", "HOST:80",
      "localhost:99999", "localhost:", "localhost:-1", "",
    ].map { HostileRequest.headers("Host: \($0)", .status(421)) } + [
      .headers("Host: " + String(repeating: "a", count: 300), .status(421)),
      .headers("Host: HOST\r\nHost: HOST", .status(400)),
      .headers("Host: HOST\r\nhost: evil.example", .status(400)),
      .headers("X: no host", .status(400)),
      .headers("X-Forwarded-Host: HOST", .status(400)),
      .headers("Host : HOST", .status(400)),
    ]

  private static let heads: [HostileRequest] = [
    .head("POST /index.html HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("PUT /x HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\n\r\nx", .status(405)),
    .head("DELETE /index.html HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("get / HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("GETS / HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(405)),
    .head("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .status(505)),
    .head("GET / HTTP/2.0\r\nHost: HOST\r\n\r\n", .status(505)),
    .head("GET / HTTP/0.9\r\nHost: HOST\r\n\r\n", .status(505)),
    .head("GET / HTTP/9.9\r\nHost: HOST\r\n\r\n", .status(505)),
    .head("GET / http/1.1\r\nHost: HOST\r\n\r\n", .status(400)),
    .head("GET / HTTP/1\r\nHost: HOST\r\n\r\n", .status(400)),
    .head("GET / HTTPS/1.1\r\nHost: HOST\r\n\r\n", .status(400)),
    .head("GET /\r\n\r\n", .status(400)),
    .head("GET / HTTP/1.0\r\n\r\n", .status(400)),
    .head("GET / HTTP/1.0\r\nHost: HOST\r\n\r\n", .status(200)),
    .head("GET /a b.txt HTTP/1.1\r\nHost: HOST\r\n\r\n", .silence),
    .head("GET  / HTTP/1.1\r\nHost: HOST\r\n\r\n", .status(200)),
    .head("GET\r\n\r\n", .silence),
    .head("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}", .silence),
    .head("GET / HTTP/1.1\nHost: HOST\n\n", .status(200)),
    .head("GET / HTTP/1.1\rHost: HOST\r\r", .silence),
    .head("GET / HTTP/1.1\r\nHost: HOST\r\nno colon\r\n\r\n", .status(400)),
    .head("GET / HTTP/1.1\r\nHost: HOST\r\nX: a\r\n folded\r\n\r\n", .status(200)),
    .head("GET / HTTP/1.1\r\nHost: HOST\r\nCookie: a=b; ;=;\"\r\n\r\n", .status(200)),
    .head("GET / HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\n\r\n", .status(200)),
    .head("GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: h2c\r\n\r\n", .status(200)),
    HostileRequest(
      "one header of 40,000 bytes",
      "GET / HTTP/1.1\r\nHost: HOST\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n",
      .status(431)),
    HostileRequest(
      "2,000 headers",
      "GET / HTTP/1.1\r\nHost: HOST\r\n"
        + String(repeating: "X: aaaaaaaaaaaaaaaa\r\n", count: 2_000)
        + "\r\n", .status(431)),
    HostileRequest(
      "1,000 arguments",
      "GET /?" + String(repeating: "&", count: 1_000) + " HTTP/1.1\r\nHost: HOST\r\n\r\n",
      .silence),
  ]

  /// Header names that other parsers may read differently.
  private static let names: [HostileRequest] = [
    .headers(
      "Host: HOST\r\nContent-Length : 30\r\n\r\nGET / HTTP/1.1\r\nHost: HOST",
      .statuses([400])),
    .headers("Host: HOST\r\nTransfer-Encoding : chunked\r\n\r\n0", .statuses([400])),
    // The library ends the headers at a line without a name.
    .headers("Host: HOST\r\n: x", .statuses([200])),
    .headers("Host: HOST\r\n: x\r\nContent-Length: 30", .statuses([200, 400])),
    .headers(": x\r\nHost: HOST", .status(400)),
    .headers("Host: HOST\r\nX\t: y", .statuses([400])),
    .headers("Host: HOST\r\nX Y: z", .statuses([400])),
    .headers("Host: HOST\r\nX(Y): z", .statuses([400])),
    .headers("Host: HOST\r\nX\u{e9}: z", .statuses([400])),
    .headers("Host: HOST\r\nX\u{7f}: z", .statuses([400])),
    .headers("Host: HOST\r\n\"X\": z", .statuses([400])),
    .headers(" Host: HOST", .status(400)),
    .headers("Host: HOST\r\nX\u{0}Y: z", .status(400)),
    .headers("Host: HOST\r\nA-z0!#$%&'*+.^_`|~: z", .status(200)),
    // The library ends a value at a zero byte and ignores the rest.
    .headers("Host: HOST\u{0}.evil.example", .status(200)),
    .headers("Host: evil.example\u{0}HOST", .status(421)),
  ]

  private static let bodies: [HostileRequest] = [
    .headers("Host: HOST\r\nContent-Length: 5\r\n\r\nhello", .status(400)),
    .headers("Host: HOST\r\nContent-Length: 99999999999999999999", .status(413)),
    .headers("Host: HOST\r\nContent-Length: -1", .status(400)),
    .headers("Host: HOST\r\nContent-Length: +0", .status(400)),
    .headers("Host: HOST\r\nContent-Length: 0x10", .status(400)),
    .headers("Host: HOST\r\nContent-Length: 0, 5", .status(400)),
    .headers("Host: HOST\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello", .statuses([400])),
    .headers(
      "Host: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "0\r\n\r\nGET /index.html HTTP/1.1\r\nHost: HOST", .statuses([400])),
    .headers(
      "Host: HOST\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0", .statuses([400])),
    .headers("Host: HOST\r\nTransfer-Encoding: identity", .statuses([400])),
    .headers("Host: HOST\r\nTransfer-Encoding: xchunked", .statuses([400])),
    .headers("Host: HOST\r\nTransfer-Encoding: gzip, chunked", .statuses([400])),
    .headers(
      "Host: HOST\r\nContent-Length: 100\r\n\r\nGET /index.html HTTP/1.1\r\nHost: HOST",
      .statuses([400])),
  ]

  private static let ranges: [HostileRequest] = [
    .range("bytes=100000-", 200),
    .range("bytes=-0", 200),
    .range("bytes=0-99999999999999999999", 200),
    .range("bytes=--1", 200),
    .range("bytes=" + Array(repeating: "0-", count: 1_000).joined(separator: ","), 200),
  ]

  private static let pipelines: [HostileRequest] = [
    HostileRequest(
      "ten in one go",
      String(repeating: "GET /index.html HTTP/1.1\r\nHost: HOST\r\n\r\n", count: 10),
      .statuses(Array(repeating: 200, count: 10))),
    HostileRequest(
      "requests after a rejected one are ignored",
      "GET /index.html HTTP/1.1\r\nHost: HOST\r\n\r\nGET /index.html HTTP/1.1\r\nHost: evil\r\n\r\n"
        + "GET /index.html HTTP/1.1\r\nHost: HOST\r\n\r\n", .statuses([200, 421])),
    HostileRequest(
      "missing files do not end it",
      "GET /missing HTTP/1.1\r\nHost: HOST\r\n\r\nGET /index.html HTTP/1.1\r\nHost: HOST\r\n\r\n",
      .statuses([404, 200])),
    HostileRequest("nothing at all", "", .silence),
    HostileRequest("half a head", "GET / HTTP/1.1\r\nHost: HOST\r\n", .silence),
  ]
}
