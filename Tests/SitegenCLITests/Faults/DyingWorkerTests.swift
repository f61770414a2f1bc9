import TestSupport

struct DyingWorkerTests {
  private static let users = (0..<8).map { "\($0)" }

  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    for (number, name) in Self.users.enumerated() {
      try site.write(
        picture: TestPicture.png(width: 9 + number, height: 9) { x, _ in
          TestPicture.Pixel(UInt8(x * 10), 0, 0)
        }, to: "\(name).png")
    }
    try site.write(users: Self.users.map { ($0, ["\($0).png"]) })
    return site
  }

  /// Makes the first `count` workers fail at their first job.
  private func environment(_ fault: String, _ count: Int, _ folder: TemporaryFolder) throws
    -> [String: String]
  {
    for number in 0..<count { try folder.write("", to: "\(number)") }
    return RunningProgram.usualEnvironment.merging([
      "SITEGEN_TEST_FAULT": fault, "SITEGEN_TEST_FAULT_FOLDER": folder.path,
    ]) { $1 }
  }

  /// I18: an item fails if its worker dies twice, and the next build retries the item.
  @Test(arguments: ["segv", "exit", "garbage", "short"])
  func `a crashing worker affects at most one item`(fault: String) throws {
    let site = try site()
    let armed = TemporaryFolder()
    let lucky = try site.build("--jobs", "1", environment: environment(fault, 1, armed))
    #expect(lucky.status == 0, "\(lucky.err)")
    let whole = site.tree()

    let twice = try site.build(
      "--jobs", "1", "--no-cache", environment: environment(fault, 2, armed))
    #expect(twice.status == 1)
    #expect(try site.assets().reasons == ["0": "decoder-crashed"])
    #expect(twice.err.contains("[decoder-crashed]"))
    for user in Self.users.dropFirst() {
      let path = try #require(try site.assets().users[user]?.avatars["s"]?.first?.path)
      #expect(site.tree().files[path] == whole.files[path])
    }

    #expect(try site.build().status == 0)
    #expect(site.tree().differences(from: whole) == [])
  }

  /// I18: a worker that hangs is killed at its time limit, and its item fails.
  @Test func `a hanging worker affects only one item`() throws {
    let site = try site()
    let armed = TemporaryFolder()
    let run = try site.build(environment: environment("hang", 1, armed))
    #expect(run.status == 1)
    let reasons = try site.assets().reasons
    #expect(Array(reasons.values) == ["decoder-hung"])
    #expect(try site.build().status == 0)
    #expect(try site.assets().reasons.isEmpty)
  }
}
