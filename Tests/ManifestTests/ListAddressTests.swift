import SiteSupport

struct ListAddressTests {
  private static let url = "url: \"https://example.org/team.json\""

  private func text(_ from: String) -> ManifestText {
    ManifestText(text: "version: 1\nusers:\n  from: { \(from) }\n")
  }

  @Test(arguments: [
    #"host: a"#, "Content-Length: 1", "connection: close", "transfer-encoding: chunked",
    "proxy-authorization: \"${A}\"", "if-none-match: a", "range: bytes=0-1", #""a b": c"#,
    #""a\r\nhost": b"#, #""": b"#, "a: [b]", "a: \"\"", "a: \" \"",
    #"a: "s3cret\r\nhost: b""#, "a: \"s3crét\"", #"a: "s3cret ${A""#, #"a: "s3cret ${1}""#,
    "authorization: Bearer s3cret", "Cookie: s=s3cret",
  ])
  func `forbidden headers are rejected without showing their values`(header: String) throws {
    let diagnostics = try text("\(Self.url), headers: { \(header) }").read().diagnostics.sorted
    #expect(diagnostics.map(\.id) == ["unknown-value"])
    #expect(diagnostics.allSatisfy { !"\($0)".contains("s3cr") }, "\(diagnostics)")
  }

  @Test(arguments: [
    ("headers: { a: b }", "missing-key"), ("url: team.json, headers: { a: b }", "bad-address"),
    ("url: \"https://a:s3cret@example.org/\", pages: link", "bad-address"),
    ("\(Self.url), pages: all", "unknown-value"), ("\(Self.url), token: x", "unknown-key"),
    ("\(Self.url), headers: a", "wrong-type"),
  ])
  func `an invalid mapping is reported`(from: String, id: String) throws {
    let diagnostics = try text(from).read().diagnostics.sorted
    #expect(diagnostics.map(\.id) == [id])
    #expect(diagnostics.allSatisfy { !"\($0)".contains("s3cret") }, "\(diagnostics)")
  }

  @Test(arguments: [
    #"{"count": 1, "next": null, "results": [{"name": "Ada"}]}"#,
    #"{"data": [{"name": "Ada"}], "included": [{"type": "team"}]}"#,
    #"{"members": [{"name": "Ada"}], "data": [{"code": 1}]}"#,
    #"{"data": {"team": {"nodes": [{"name": "Ada"}], "edges": [{"cursor": "x"}]}}}"#,
    "\u{1E}{\"next\": \"b\", \"results\": [{\"name\": \"Ada\"}]}\u{1E}{\"results\": []}",
  ])
  func `people are found in the response formats of common APIs`(answer: String) throws {
    let headers = #"Authorization: "${A}${_b2}", accept: a/b+json, cookie: "s=${S}", x-count: 3"#
    var text = text("\(Self.url), pages: next, headers: { \(headers) }")
    text.lists["https://example.org/team.json"] = (answer, nil)
    #expect(try text.read().manifest?.users.map(\.id) == ["ada"])
  }
}
