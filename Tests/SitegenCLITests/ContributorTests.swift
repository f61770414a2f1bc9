import Glibc
import TestSupport

struct ContributorTests {
  private let folder = TemporaryFolder()
  private let repository: SampleRepository
  private static let noGit = ["PATH": "/nonexistent"]
  private let page = "repo.git-site/output/index.html"

  init() throws {
    repository = try SampleRepository(in: folder)
    try repository.commit("Sample Heron", "heron@example.org")
    for _ in 1...2 { try repository.commit("Sample Otter", "otter@example.org") }
  }

  /// Runs the program, and returns the error output.
  private func run(
    _ words: [String], at name: String = "repo", with variables: [String: String] = [:],
    exits status: Int32 = 0
  ) throws -> String {
    let run = try RunningProgram(
      sitegen: words, in: folder.path(of: name),
      environment: SampleRepository.environment.merging(variables) { $1 }
    ).ending()
    #expect(run.status == status, "\(words): \(run.err)")
    return run.err
  }

  @Test func `contributors are published without their email addresses`() throws {
    #expect(try !run(["build", "git:."]).contains("warning"))
    let text = try folder.text(of: page)
    let otter = try #require(text.range(of: "Sample Otter"))
    #expect(text[otter.upperBound...].contains("Sample Heron") && text.contains("2 commits"))
    for name in folder.list() where name.hasPrefix("repo.git-site/") {
      let bytes = try? folder.read(name)
      #expect(bytes?.range(of: Data("@example.org".utf8)) == nil, "\(name)")
    }
    // Ages the files, because stamps of new files are not trusted.
    for name in folder.list() where !name.hasPrefix("repo.git-site/.sitegen") {
      try folder.setModified(name, to: 1_700_000_000)
    }
    _ = try run(["build", "git:."])
    _ = try run(["build", "git:."], with: Self.noGit)
    try folder.write("Sample Fern <fern@example.org> <heron@example.org>\n", to: "repo/.mailmap")
    #expect(try run(["build", "git:."], with: Self.noGit, exits: 2).contains("not installed"))
    try repository.commit("Sample Badger", "badger@example.org")
    _ = try run(["build", "git:."])
    let changed = try folder.text(of: page)
    #expect(changed.contains("Sample Fern") && changed.contains("Sample Badger"))
  }

  @Test func `init and schedule accept repositories, and a shallow clone causes a warning`() throws
  {
    _ = try run(["init", "--from", "git:repo", "site"], at: "")
    #expect(try folder.text(of: "site/manifest.yaml").contains("from: \"git:../repo\"\n"))
    _ = try run(["build", "site"], at: "")
    let schedule = ["schedule", "print", "git:.", "--every", "1h"]
    #expect(try run(schedule, exits: 2).contains("init --from git:."))
    let clone = folder.path(of: "clone")
    try repository.git("clone", "--quiet", "--depth=1", "file://\(repository.path)", clone)
    #expect(try run(["build", "git:."], at: "clone").contains("fetch-depth: 0"))
  }

  @Test(.needs(.root)) func `a repository owned by another user requires safe.directory`() throws {
    _ = try RunningProgram(["chown", "-R", "65534", repository.path]).ending()
    let refused = try run(["build", "git:."], exits: 2)
    let command = "git config --global --add safe.directory \(repository.path)\n"
    #expect(refused.contains("(dubious ownership)") && refused.hasSuffix(command), "\(refused)")
    #expect(!folder.exists("repo.git-site"))
    try folder.write("[safe]\n  directory = \(repository.path)\n", to: "config")
    _ = try run(["build", "git:."], with: ["GIT_CONFIG_GLOBAL": folder.path(of: "config")])
  }

  @Test func `the git process ends with the build`() throws {
    let mark = folder.path(of: "mark")
    let script = "#!/bin/sh\necho $$ > \(mark).new\nmv \(mark).new \(mark)\nexec sleep 1000\n"
    _ = try folder.program(script, at: "git")
    let path = ["PATH": "\(folder.path):/usr/bin:/bin"]
    let program = try RunningProgram(
      sitegen: ["build", "git:."], in: repository.path, environment: path)
    while !folder.exists("mark"), program.isRunning { usleep(1_000) }
    program.send(SIGINT)
    #expect(try program.ending().status == 130)
    let id = try #require(Int32(folder.text(of: "mark").trimmingCharacters(in: .newlines)))
    #expect(kill(id, 0) == -1 && errno == ESRCH)
  }
}
