import Files
import SiteSupport

@Suite(.timeLimit(.minutes(15))) struct ListPagesTests {
  private let site = try? TestSite()
  /// The responses by request target.
  private let answers = Locked<[String: ScriptedServer.Step]>([:])

  private func server() throws -> ScriptedServer {
    try ScriptedServer { [answers] request in
      [answers.withLock { $0[request.target] } ?? .answer(404)]
    }
  }

  private func answer(_ target: String, _ body: String, link: String? = nil) {
    let headers: KeyValuePairs = ["ETag": "\"e\"", "Link": link ?? "<>"]
    answers.withLock { $0[target] = .answer(200, headers, text: body) }
  }

  private func build(_ server: ScriptedServer, pages: String) throws -> (ids: [String], [String]) {
    let site = try #require(site)
    try site.folder.write(
      """
      version: 1
      avatars: [{ \(TestSite.small) }]
      users: { from: { url: "\(server.url("/team"))", pages: \(pages) } }
      network: { allow: [127.0.0.1], ports: [\(server.port)] }
      fallback: [initials]
      """, to: "content/manifest.yaml")
    let result = try site.build(jobs: 1)
    return (try site.assets().users.keys.sorted(), result.diagnostics.sorted.map(\.id))
  }

  @Test(arguments: [
    "<URL/team?page=2>; rel=\"next\", <URL/team?page=9>; rel=\"last\"",
    "</a>; rel=prev, <?page=2> ; title=\"a, b\" ; REL = \"last next\"", "</team?page=2>;rel=next",
  ])
  func `links to the next page are followed`(link: String) throws {
    let server = try server()
    answer("/team", #"[{"id": "a"}]"#, link: link.replacing("URL", with: server.url("")))
    answer("/team?page=2", #"[{"id": "b"}]"#, link: "</team>; rel=\"first prev\"")
    #expect(try build(server, pages: "link").ids == ["a", "b"])
    // A 304 does not contain the URL for the next page.
    answer("/team?page=2", #"[{"id": "b"}, {"id": "c"}]"#)
    #expect(try build(server, pages: "link").ids == ["a", "b", "c"])
    #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
  }

  @Test(arguments: [
    #"{"next": "URL/p2", "results": [{"id": "a"}]}"#,
    #"{"links": {"next": "/p2"}, "data": [{"id": "a"}]}"#,
    #"{"_links": {"next": {"href": "/p2"}}, "items": [{"id": "a"}]}"#,
    #"{"@odata.nextLink": "URL/p2", "value": [{"id": "a"}]}"#,
  ])
  func `the response body can contain the URL for the next page`(first: String) throws {
    let server = try server()
    answer("/team", first.replacing("URL", with: server.url("")))
    answer("/p2", #"{"next": null, "links": {"next": null}, "results": [{"id": "b"}]}"#)
    let (ids, problems) = try build(server, pages: "next")
    #expect(ids == ["a", "b"] && problems == [])
  }

  /// N20: the list is also kept if pages link to another host or never end.
  @Test func `if a page fails, the whole previous list is kept`() throws {
    let (server, other) = (try server(), try server())
    answer("/team", #"{"next": "/p2", "results": [{"id": "a"}]}"#)
    answer("/p2", #"{"results": [{"id": "b"}]}"#)
    #expect(try build(server, pages: "next").ids == ["a", "b"])
    answer("/team", #"{"next": "/p2", "results": [{"id": "a"}, {"id": "new"}]}"#)
    let broken: [(String, ScriptedServer.Step)] = [
      ("status", .answer(403)), ("page", .answer(text: "<html>")),
      ("cut", .answer(text: #"{"results": [{"id": "b"}"#)), ("error", .answer(text: "{}")),
      ("circle", .answer(text: #"{"next": "team", "results": [{"id": "b"}]}"#)),
      ("host", .answer(text: #"{"next": "\#(other.url("/p3"))", "results": [{"id": "b"}]}"#)),
      ("redirect", .answer(302, ["Location": "\(other.url("/p3"))"])),
    ]
    for (name, step) in broken {
      answers.withLock { $0["/p2"] = step }
      let (ids, problems) = try build(server, pages: "next")
      #expect(ids == ["a", "b"] && problems == ["source-stale"], "\(name)")
    }
    #expect(other.requests.isEmpty)
    let many = try ScriptedServer { request in
      [.answer(text: #"{"next": "\#(request.target)1", "results": [{"id": "a"}]}"#)]
    }
    #expect(throws: BuildFailure.self) { try build(many, pages: "next") }
    #expect(many.requests.count == 1_000)
  }
}
