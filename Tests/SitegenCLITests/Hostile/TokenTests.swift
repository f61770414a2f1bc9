import Files
import TestSupport

struct TokenTests {
  private static let secret = "tok-4711"
  private let site = SiteFolder()

  private func start(
    _ server: ScriptedServer, _ target: String, ports: [UInt16] = [], token: String? = secret
  ) throws -> RunningProgram {
    let ports = ([server.port] + ports).map { "\($0)" }.joined(separator: ", ")
    try site.write(
      manifest: """
        {"version": 1, "avatars": [\(SiteFolder.smallStyle)], "fallback": "initials",
        "network": {"allow": "127.0.0.1", "ports": [\(ports)]},
        "users": {"from": {"url": "\(server.url(target))", "pages": "link",
        "headers": {"Authorization": "Bearer ${TEAM_TOKEN}", "accept": "application/json"}}}}
        """)
    var environment = RunningProgram.usualEnvironment
    environment["TEAM_TOKEN"] = token
    return try site.start(
      ["build", "--json", "--manifest", "content/manifest.json"], environment: environment)
  }

  /// Waits for the end, and checks that the token is not in the output, site, cache or report.
  private func ending(_ run: RunningProgram) throws -> RunningProgram.Ending {
    let ending = try run.ending()
    #expect(!(ending.out + ending.err).contains("4711"), "\(ending)")
    for (name, bytes) in site.tree("").files {
      #expect(bytes.range(of: Data("4711".utf8)) == nil, "\(name)")
    }
    return ending
  }

  /// N19: the processes are inspected while the worker runs.
  @Test func `a token is sent to its origin and appears nowhere else`() throws {
    let isOpen = Locked(false)
    let server = try ScriptedServer { request in
      switch request.target {
      case "/team": return [.answer(302, ["Location": "/first"])]
      case "/first": return [.answer(200, ["Link": "</b>; rel=next"], text: #"[{"id": "a"}]"#)]
      default:
        // Holds the request while the test inspects the processes.
        _ = eventually { isOpen.withLock { $0 } }
        return [.answer(text: #"[{"id": "b"}]"#)]
      }
    }
    let run = try start(server, "/team")
    #expect(eventually { server.requests("/b").count == 1 })
    var workers = 0
    for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      func text(_ name: String) -> String {
        let bytes = FileManager.default.contents(atPath: "/proc/\(process)/\(name)")
        return String(decoding: bytes ?? Data(), as: UTF8.self)
      }
      // Other users can read command lines.
      #expect(!text("cmdline").contains("4711"))
      guard text("cmdline").contains("sitegen-worker") else { continue }
      #expect(!text("environ").contains("4711"))
      workers += 1
    }
    #expect(workers > 0)
    isOpen.withLock { $0 = true }
    #expect(try ending(run).status == 0)
    #expect(server.requests.map(\.target) == ["/team", "/first", "/b"])
    let sent = server.requests.map { [$0["authorization"], $0["accept"]] }
    #expect(Set(sent) == [["Bearer \(Self.secret)", "application/json"]])
    #expect(Set(try site.assets().users.keys) == ["a", "b"])
  }

  /// N19: redirects and links to the next page are not followed to another origin.
  @Test func `a token is never sent to another origin`() throws {
    let other = try ScriptedServer { _ in [.answer(text: #"[{"id": "x"}]"#)] }
    let server = try ScriptedServer { request in
      request.target == "/redirect"
        ? [.answer(307, ["Location": "\(other.url("/team"))"])]
        : [.answer(200, ["Link": "<\(other.url("/"))>; rel=next"], text: #"[{"id": "a"}]"#)]
    }
    for target in ["/redirect", "/link"] {
      let end = try ending(try start(server, target, ports: [other.port]))
      #expect(end.status == 2 && end.err.contains("it leads to http://\(other.host)"), "\(end)")
    }
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: [nil, "", " ", "tok-4711\nx: y", "tök-4711"])
  func `an invalid token is reported with the name of its variable`(token: String?) throws {
    let server = try ScriptedServer { _ in [.answer(text: "[]")] }
    let end = try ending(try start(server, "/team", token: token))
    #expect(end.status == 2 && end.err.contains("TEAM_TOKEN"), "\(end)")
    #expect(server.requests.isEmpty && site.tree("").folders == ["content"])
  }
}
