import TestSupport

@Suite(.needs(Strace.need))
struct AuditTests {
  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    for name in ["portrait-a", "portrait-b"] {
      let green = UInt8(name.utf8.last ?? 0)
      try site.write(
        picture: TestPicture.png(width: 4, height: 4) { x, _ in
          TestPicture.Pixel(UInt8(x), green, 0)
        }, to: "\(name).png")
    }
    try site.write(users: [("a", ["portrait-a.png"]), ("b", ["portrait-b.png"])])
    return site
  }

  private func audit(_ site: SiteFolder) throws -> Audit {
    let log = site.folder.path(of: "strace.log")
    let calls =
      "prctl,seccomp,openat,openat2,open,creat,execve,execveat,connect,socket,rename,renameat,unlink"
    let run = try site.build(through: Strace.logging(calls, to: log))
    #expect(run.status == 0, "\(run.err)")
    return try Audit(log: log)
  }

  @Test func `a build starts only its own workers and opens no sockets`() throws {
    let site = try site()
    let audit = try audit(site)
    #expect(audit.opened.contains { $0.contains("portrait-a.png") })
    let programs = audit.calls("execve").map { line in
      line.split(separator: "\"").dropFirst().first.map(String.init) ?? line
    }
    #expect(programs.first == BuiltProduct.sitegen)
    #expect(programs.count > 1)
    #expect(programs.dropFirst().allSatisfy { $0 == BuiltProduct.worker }, "\(programs)")
    #expect(audit.calls("connect") == [])
    #expect(audit.calls("socket") == [])
  }

  /// N17: only the fetcher process opens sockets, and it starts only for fetching.
  @Test func `only the fetcher opens sockets, not the build itself`() throws {
    let picture = TestPicture.png(width: 4, height: 4) { x, _ in TestPicture.Pixel(UInt8(x), 0, 0) }
    let server = try ScriptedServer { _ in
      [.answer(200, ["Cache-Control": "max-age=1000"], body: picture)]
    }
    let site = SiteFolder()
    let avatars = [server.url("/a.png"), "libravatar:a@nowhere.invalid", "initials"]
    try site.write(
      users: [("a", avatars), ("b", Array(avatars.dropFirst()))],
      more: #""network": {"allow": ["127.0.0.1"], "ports": [\#(server.port)]},"#)
    func processes() throws -> ProcessAudit {
      let log = site.folder.path(of: "strace.log")
      let run = try site.build(
        through: Strace.logging("execve,clone,clone3,fork,vfork,socket,connect", to: log))
      #expect(run.status == 0, "\(run.err)")
      return try ProcessAudit(Audit(log: log))
    }
    let first = try processes()
    #expect(server.requests.count == 1)
    #expect(first.programs.filter { $0 == "network" }.count == 1)
    #expect(first.programs.contains("pictures"))
    #expect(Set(first.sockets) == ["network"])
    // The cached picture is still fresh.
    try site.write(
      users: [("a", [server.url("/a.png")])],
      more: #""network": {"allow": ["127.0.0.1"], "ports": [\#(server.port)]},"#)
    let second = try processes()
    #expect(!second.programs.contains("network"))
    #expect(second.sockets == [])
    #expect(server.requests.count == 1)
  }

  /// Landlock must be active before the build starts other threads.
  @Test func `a build can write only to its own folders`() throws {
    let site = try site()
    #expect(try site.build().status == 0)
    let own = ["output", ".sitegen"].map { site.folder.path(of: $0) }
    let written = try writable(site, SiteFolder.buildWords, status: 0)
    #expect(written == Set(own))
    // A shard writes only to the store and its cache.
    try site.folder.makeFolder("store")
    try site.folder.makeFolder(".sitegen/shards/1-of-1")
    let words = ["--store", "store", "--shard", "1/1"]
    let shard = try writable(site, SiteFolder.buildWords + words, status: 0)
    #expect(shard == Set(["store", ".sitegen/shards/1-of-1"].map { site.folder.path(of: $0) }))
  }

  /// Returns the writable folders, except those for temporary files.
  private func writable(
    _ site: SiteFolder, _ words: [String], status: Int32
  ) throws -> Set<String> {
    let log = site.folder.path(of: "strace.log")
    var strace = Strace.logging("landlock_add_rule,landlock_restrict_self,clone,clone3", to: log)
    // `-y` adds the path of each descriptor.
    strace.insert("-y", at: 1)
    #expect(try site.run(words, through: strace).status == status)
    let lines = try Audit(log: log).lines
    let restricted = try #require(lines.firstIndex { $0.contains("landlock_restrict_self(") })
    #expect(!lines[..<restricted].contains { $0.contains(" clone") })
    let writable = lines[..<restricted].filter { $0.contains("WRITE_FILE") }.compactMap {
      $0.firstMatch(of: /parent_fd=\d+<([^>]*)>/).map { String($0.1) }
    }
    let own = ProcessInfo.processInfo.environment["TMPDIR"].map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().path
    }
    return Set(writable).subtracting(["/tmp", "/var/tmp", "/dev/shm", "/dev/null", own ?? "/tmp"])
  }

  @Test func `other processes cannot trace builds and workers`() throws {
    let audit = try audit(try site())
    let programs = Set(audit.calls("execve").compactMap { $0.split(separator: " ").first })
    for call in ["prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE", "seccomp(SECCOMP_SET_MODE_FILTER"] {
      let processes = Set(
        audit.lines.filter { $0.contains(call) }.compactMap { $0.split(separator: " ").first })
      let expected = call.hasPrefix("prctl") ? programs.count : programs.count - 1
      #expect(processes.count == expected, "\(call)")
    }
  }

  /// E8: a second build reads no picture and starts no worker.
  @Test func `a second build reads no sources`() throws {
    let site = try site()
    #expect(try site.build().status == 0)
    let audit = try audit(site)
    // `O_PATH` opens a file for its stamp only.
    #expect(!audit.lines.contains { $0.contains("portrait-") && !$0.contains("O_PATH") })
    #expect(audit.calls("execve").count == 1)
    #expect(audit.calls("rename").filter { $0.contains("assets/") } == [])
  }
}
