import Files
import TestSupport

struct SharedStoreCommandTests {
  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(users: [("a", ["color:#ff0000"]), ("b", ["color:#00ff00"])])
    return site
  }

  @Test func `the summary counts images taken from the store`() throws {
    let shared = TemporaryFolder()
    let address = shared.path(of: ".")
    let words = ["build", "--manifest", "content/manifest.json"]
    let first = try site()
    let made = try first.run(words + ["--store", address, "--store-mode", "readwrite"])
    #expect(made.status == 0 && !made.out.contains("from the store"))
    let second = try site()
    // The older syntax is also accepted.
    let taken = try second.run(words, environment: ["SITEGEN_STORE": "dir:\(address)"])
    #expect(taken.status == 0)
    #expect(
      taken.out.contains(": 2 users; 0 images rendered, 2 from the store, 0 from the cache; "))
    #expect(second.tree().differences(from: first.tree()) == [])
  }

  @Test func `--store-mode needs a store, and the check command ignores SITEGEN_STORE`() throws {
    let site = try site()
    let lone = try site.run(SiteFolder.buildWords + ["--store-mode", "write"])
    #expect(lone.status == 2 && lone.err.contains("--store-mode needs a store"))
    let environment = ["SITEGEN_STORE": "https://example.org/store"]
    let check = ["check", "--manifest", "content/manifest.json"]
    #expect(try site.run(check, environment: environment).status == 0)
    #expect(try site.run(SiteFolder.buildWords, environment: environment).status == 2)
  }

  @Test(arguments: ["https://example.org/store", "s3://bucket/sitegen", "dir:"])
  func `a store that is not a folder is rejected with a hint about rclone`(address: String) throws {
    let run = try site().run(SiteFolder.buildWords + ["--store", address])
    #expect(run.status == 2 && run.err.contains("is not a folder") && run.err.contains("rclone"))
  }

  @Test func `prune deletes files, but only counts them with --dry-run`() throws {
    let shared = TemporaryFolder()
    let site = try site()
    #expect(try site.build("--store", shared.path, "--shard", "1/1").status == 0)
    func files() -> [String] { shared.list().filter { $0.utf8.count > 64 } }
    #expect(files().count == 2)
    let young = try site.run(["prune", "--store", shared.path])
    #expect(young.status == 0 && young.out.contains(": 0 files removed"))
    let dry = try site.run(["prune", "--store", shared.path, "--max-age", "0", "--dry-run"])
    #expect(dry.out.contains("2 files would be removed") && files().count == 2)
    let real = try site.run(["prune", "--store", shared.path, "--max-age", "0"])
    #expect(real.out.contains("2 files removed") && files() == [])
  }
}

struct ShardCommandTests {
  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(users: (0..<60).map { ("u\($0)", ["color:#\(String(100_000 + $0 * 7_919))"]) })
    try site.folder.makeFolder("store")
    return site
  }

  private let build = ["build", "--manifest", "content/manifest.json", "--store", "store"]

  @Test func `a shard prints one line and publishes nothing`() throws {
    let site = try site()
    let run = try site.run(build + ["--shard", "2/3", "--output", "elsewhere"])
    #expect(run.status == 0 && run.err == "")
    #expect(
      run.out.contains(
        /^shard 2 of 3: \d+ users; \d+ images rendered, 0 from the store \(\d+\.\d+ s\)\n$/))
    #expect(
      Set(site.folder.list().filter { !$0.contains("/") }).isSubset(of: [
        "content", "store", ".sitegen",
      ]))
    #expect(site.folder.list().contains(".sitegen/shards/2-of-3/report.json"))
    let json = try site.run(build + ["--shard", "2/3", "--json"])
    #expect(json.out.contains(/"storeHits" ?: ?[1-9]/) && json.out.contains(/"storeFetched" ?: ?0/))
  }

  @Test(arguments: [
    (["SLURM_ARRAY_TASK_ID": "2"], 2),
    (["SLURM_ARRAY_TASK_ID": "10", "SLURM_ARRAY_TASK_MIN": "10"], 1),
    (["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0"], 1),
    (["JOB_COMPLETION_INDEX": "0"], 1),
    (["PARALLEL_SEQ": "3"], 3), (["PARALLEL_SEQ": "3", "JOB_COMPLETION_INDEX": "1"], 2),
  ])
  func `--shard auto gets its number from the scheduler`(variables: [String: String], number: Int)
    throws
  {
    let site = try site()
    let run = try site.run(
      build + ["--shard", "auto/3"],
      environment: RunningProgram.usualEnvironment.merging(variables) { $1 })
    #expect(run.status == 0 && run.out.hasPrefix("shard \(number) of 3: "), "\(run.err)")
  }

  @Test(arguments: [
    (["auto/3"], [:], "none of SLURM_ARRAY_TASK_ID"),
    (["auto/3"], ["PARALLEL_SEQ": "4"], "PARALLEL_SEQ: the shard is not a number from 1 to 3"),
    (["auto/3"], ["JOB_COMPLETION_INDEX": "x"], "JOB_COMPLETION_INDEX: "),
    (["auto/3"], ["SLURM_ARRAY_TASK_ID": "0"], "SLURM_ARRAY_TASK_ID: "),
    (["4/3"], [:], "not a number from 1 to 3"), (["0/3"], [:], "not a number from 1 to 3"),
    (["1/3/4"], [:], "is not of the form I/N"), (["1/0"], [:], "is not of the form I/N"),
    (["1/3", "--store-mode", "read"], [:], "--shard and --store-mode read"),
    (["1/3", "--watch"], [:], "--shard and --watch"),
    (["1/3", "--every", "1h"], [:], "--shard and --every"),
    (["1/3", "--dry-run"], [:], "--shard and --dry-run"),
  ])
  func `an invalid shard is rejected`(
    words: [String], variables: [String: String], message: String
  ) throws {
    let run = try site().run(
      build + ["--shard"] + words,
      environment: RunningProgram.usualEnvironment.merging(variables) { $1 })
    #expect(run.status == 2 && run.err.contains(message), "\(run.err)")
  }

  @Test func `a shard needs a store`() throws {
    let alone = try site().run(SiteFolder.buildWords + ["--shard", "1/2"])
    #expect(alone.status == 2 && alone.err.contains("--shard needs a store"))
  }

  /// After kills at random moments, the store is intact, and the final build renders the rest.
  @Test func `killing a shard at any moment is harmless`() throws {
    let plain = try site()
    #expect(try plain.build().status == 0)
    let site = try site()
    var random = SeededRandom(seed: 20)
    for round in 0..<20 {
      // If the store were kept, no files would be left to write.
      if round % 4 == 0 {
        try site.folder.remove("store")
        try site.folder.makeFolder("store")
      }
      let run = try site.start(build + ["--shard", "1/1"])
      let seen = site.folder.list().count
      // Waits for a random number of files or until the shard exits.
      let more = Int.random(in: 0...12, using: &random)
      _ = eventually { site.folder.list().count >= seen + more || !run.isRunning }
      run.send(SIGKILL)
      _ = try run.ending()
    }
    let last = try site.run(build)
    #expect(last.status == 0 && last.err == "", "\(last.err)")
    #expect(site.tree().differences(from: plain.tree()) == [])
    #expect(try site.run(build + ["--shard", "1/1"]).out.contains(": 60 users; "))
  }
}
