import Foundation
import TestSupport
import Testing

@testable import SitegenCLI

/// `plan`, `render`, `status` and `assemble` as they are typed, and as schedulers start them.
struct ShardCommandTests {
  private let shared = TemporaryFolder()
  private var store: [String] { ["--store", "dir:\(shared.path(of: "."))"] }
  private let manifest = ["--manifest", "content/manifest.json"]

  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    // 64 pixels each.
    try site.write(users: (10..<99).map { ("u\($0)", ["color:#ff00\($0)"]) })
    return site
  }

  @Test func `from the plan to the site, with words that a script can use`() throws {
    let built = try site()
    #expect(try built.run(SiteFolder.buildWords).status == 0)
    let site = try site()
    let planned = try site.run(["plan"] + manifest + store + ["--shards", "3"])
    #expect(planned.status == 0)
    let plan = planned.out.trimmingCharacters(in: .newlines)
    #expect(plan.utf8.count == 64)
    let words = ["--plan", plan] + store
    #expect(try site.run(["status", "--missing"] + words).out == "0-2\n")
    #expect(try site.run(["assemble"] + manifest + words).status == 1)
    #expect(!site.folder.list().contains { $0.hasSuffix("index.html") })
    // Each scheduler its own way; the last one counts from 1.
    let ways: [[String: String]] = [
      ["SLURM_ARRAY_TASK_ID": "0"], ["JOB_COMPLETION_INDEX": "1"], ["PARALLEL_SEQ": "3"],
    ]
    for environment in ways {
      let rendered = try site.run(["render"] + words, environment: environment)
      #expect(rendered.status == 0)
      #expect(rendered.out.contains("as \(environment.keys.first ?? "") says"))
    }
    let status = try site.run(["status", "--missing"] + words)
    #expect(status.status == 0 && status.out.isEmpty)
    // Without a number it is all of them.
    let all = try site.run(["render"] + words)
    #expect(all.status == 0 && all.out.hasPrefix("shard 0 of 1: 0 units rendered"), "\(all.out)")
    #expect(try site.run(["assemble"] + manifest + words).status == 0)
    #expect(site.tree().differences(from: built.tree()) == [])
  }

  @Test func `a shard that is told to stop says so, and leaves its units to the next one`() throws {
    let site = try site()
    let words = ["--plan", try plan(site)] + store
    let faults = TemporaryFolder()
    try faults.write("", to: "one")
    let program = try RunningProgram(
      ["render"] + words, in: site.path,
      environment: ["SITEGEN_TEST_FAULT": "hang", "SITEGEN_TEST_FAULT_FOLDER": faults.path])
    #expect(eventually { faults.list().isEmpty })
    program.send(SIGTERM)
    #expect(try program.ending().status == 75)
    #expect(try site.run(["status"] + words).status == 1)
    #expect(try site.run(["render"] + words).status == 0)
    #expect(try site.run(["status"] + words).status == 0)
  }

  @Test func `what was spoilt in the store is named by status, once assemble has read it`() throws {
    let site = try site()
    let words = ["--plan", try plan(site)] + store
    let before = Set(shared.list())
    #expect(try site.run(["render"] + words).status == 0)
    for path in shared.list() where path.hasPrefix("cas/") && !before.contains(path) {
      if path.utf8.count > 64 { try shared.write("spoilt", to: path) }
    }
    #expect(try site.run(["status"] + words).status == 0)
    #expect(try site.run(["assemble"] + manifest + words).status == 1)
    #expect(try site.run(["status", "--missing"] + words).out == "0\n")
    #expect(try site.run(["render"] + words).status == 0)
    #expect(try site.run(["assemble"] + manifest + words).status == 0)
  }

  @Test(arguments: [(SIGTERM, 75), (SIGINT, 130)] as [(Int32, Int32)])
  func `who waits for a store that is away is told to stop`(signal: Int32, status: Int32) throws {
    let server = try ScriptedServer { _ in [.answer(503)] }
    let site = try site()
    let program = try RunningProgram(
      ["render", "--plan", String(repeating: "0", count: 64), "--store", server.url("/store")],
      in: site.path)
    #expect(eventually { !server.requests.isEmpty })
    program.send(signal)
    let ending = try program.ending(within: 20)
    #expect(ending.status == status && ending.out.isEmpty)
  }

  @Test func `a picture whose worker dies is told, and made by who assembles`() throws {
    let built = try site()
    #expect(try built.run(SiteFolder.buildWords).status == 0)
    let site = try site()
    let words = ["--plan", try plan(site)] + store
    let rendered = try site.run(["render"] + words, environment: ["SITEGEN_TEST_FAULT": "segv"])
    #expect(rendered.status == 1 && !rendered.out.contains(" 0 failed"))
    #expect(try site.run(["status"] + words).status == 0, "rendering again brings the same")
    #expect(try site.run(["assemble"] + manifest + words).status == 0)
    #expect(site.tree().differences(from: built.tree()) == [])
  }

  @Test(.needs(Strace.need))
  func `nobody lists the store`() throws {
    let site = try site()
    let logs = TemporaryFolder()
    var log = 0
    func run(_ words: [String], status: Int32 = 0) throws -> String {
      log += 1
      let wrapper = Strace.logging("getdents64,getdents", to: logs.path(of: "\(log)")) + ["-y"]
      let ending = try site.run(words + store, through: wrapper)
      #expect(ending.status == status, "\(words): \(ending.err)")
      return ending.out.trimmingCharacters(in: .newlines)
    }
    let plan = try run(["plan"] + manifest + ["--shards", "2"])
    for shard in ["0", "1", "0"] { _ = try run(["render", "--plan", plan, "--shard", shard]) }
    _ = try run(["status", "--plan", plan])
    _ = try run(["assemble", "--plan", plan] + manifest)
    _ = try run(SiteFolder.buildWords + ["--store-mode", "readwrite", "--no-cache"])
    let lines = try (1...log).flatMap { try Audit(log: logs.path(of: "\($0)")).lines }
    #expect(lines.contains { $0.contains("<\(site.path)") })
    #expect(!lines.contains { $0.contains("<\(shared.path)") })
  }

  @Test func `a shared folder is swept when it is told to be`() throws {
    let site = try site()
    let plan = try plan(site)
    #expect(try site.run(["render", "--plan", plan] + store).status == 0)
    let all = shared.list()
    let words = ["prune", "--max-age", "0"] + store
    let dry = try site.run(words)
    #expect(dry.status == 0 && dry.out.contains("would be removed with --delete"))
    #expect(try site.run(words + ["--keep", plan, "--delete"]).out.contains(": 0 files removed"))
    #expect(shared.list() == all)
    for (words, message) in [
      (words + ["--now"], "--now and --store"),
      (words + ["--output", "x"], "--output and --store"),
      (words + ["--keep", "monday"], "is no plan"),
      // As where the file of plans is missing.
      (words + ["--keep", " \n", "--delete"], "--keep names no plan"),
      (["prune", "--delete"], "--delete without --store"),
      (["prune", "--store", "s3://bucket"], "only a folder is swept"),
    ] {
      let run = try site.run(words)
      #expect(run.status == 2 && run.err.contains(message), "\(words): \(run.err)")
    }
    #expect(shared.list() == all)
    #expect(try site.run(words + ["--delete"]).status == 0)
    #expect(shared.list().allSatisfy { $0.utf8.count < 64 })
  }

  private func plan(_ site: SiteFolder) throws -> String {
    try site.run(["plan"] + manifest + store).out.trimmingCharacters(in: .newlines)
  }

  @Test func `each word that makes no sense is told`() throws {
    let site = try site()
    let digest = String(repeating: "0", count: 64)
    for (words, message) in [
      (["plan"] + manifest, "--store is missing"),
      (["render"] + store, "--plan is missing"),
      (["render", "--plan", "tuesday"] + store, "is no plan"),
      (["render", "--plan", digest] + store, "has no plan"),
      (["render", "--plan", digest, "--shard", "3/2"] + store, "is no shard"),
      (["status", "--plan", digest] + store, "has no plan"),
    ] {
      let run = try site.run(words)
      #expect(run.status == 2 && run.err.contains(message), "\(words)")
    }
  }

  @Test(arguments: ["plan", "render", "status", "assemble"])
  func `a script is told why there is nothing else to tell`(command: String) throws {
    let site = try site()
    var words = [command, "--json", "--quiet"]
    words +=
      command == "plan"
      ? ["--store", "dir:\(shared.path(of: "missing"))"]
      : store + ["--plan", String(repeating: "0", count: 64)]
    let run = try site.run(words + (["plan", "assemble"].contains(command) ? manifest : []))
    struct Account: Decodable {
      var exitStatus: Int32
      var problems: [Problem]
      struct Problem: Decodable { var id: String }
    }
    let account = try JSONDecoder().decode(Account.self, from: Data(run.out.utf8))
    #expect(run.status != 0 && account.exitStatus == run.status)
    #expect(account.problems.count == 1, "\(run.out)")
  }

  @Test func `shards are found in the variables of schedulers`() {
    #expect(ShardChoice("3") == ShardChoice(shard: 3))
    #expect(ShardChoice("3/200")?.shards == 200)
    for text in ["", "-1", "3/3", "1/", "/2", "a", "1/2/3"] { #expect(ShardChoice(text) == nil) }
    func found(_ environment: [String: String]) -> Int? {
      ShardChoice.found(in: environment)?.choice.shard
    }
    #expect(found(["SLURM_ARRAY_TASK_ID": "17"]) == 17)
    #expect(found(["SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "0"]) == nil)
    #expect(found(["SGE_TASK_ID": "1"]) == 0)
    // An array within a task of parallel is the array's.
    #expect(found(["PARALLEL_SEQ": "9", "SLURM_ARRAY_TASK_ID": "2"]) == 2)
    #expect(found([:]) == nil)
  }
}

/// The same through a server, as docs/distributed.md sets one up.
@Suite(.needs(.nginx)) struct ShardServerTests {
  @Test func `a plan is rendered through a server, and its machines share nothing else`() throws {
    let folder = TemporaryFolder()
    try folder.makeFolder("store")
    let token = "a-token-of-tests"
    let server = try NginxServer(storingIn: folder.path(of: "store"), token: token)
    let site = { () throws -> SiteFolder in
      let site = SiteFolder()
      try site.write(users: (10..<60).map { ("u\($0)", ["color:#ff00\($0)"]) })
      return site
    }
    let built = try site()
    #expect(try built.run(SiteFolder.buildWords).status == 0)
    let environment = [
      "SITEGEN_STORE": server.url("/sitegen"), "SITEGEN_STORE_TOKEN": token,
    ]
    let manifest = ["--manifest", "content/manifest.json"]
    let planned = try site().run(["plan", "--shards", "2"] + manifest, environment: environment)
    #expect(planned.status == 0)
    let plan = ["--plan", planned.out.trimmingCharacters(in: .newlines)]
    let empty = SiteFolder()
    for shard in ["1", "0", "1"] {
      let words = ["render", "--shard", shard] + plan
      #expect(try empty.run(words, environment: environment).status == 0)
    }
    #expect(try empty.run(["status"] + plan, environment: environment).status == 0)
    let assembled = try site()
    let result = try assembled.run(["assemble"] + manifest + plan, environment: environment)
    #expect(result.status == 0 && result.out.contains(": 50 users; 0 images rendered, 50 from the"))
    #expect(assembled.tree().differences(from: built.tree()) == [])
    // Who has another token is told, and for good.
    var wrong = environment
    wrong["SITEGEN_STORE_TOKEN"] = "another"
    #expect(try empty.run(["status"] + plan, environment: wrong).status == 3)
    #expect(try server.requests().allSatisfy { ["GET", "HEAD", "PUT"].contains($0.method) })
  }
}
