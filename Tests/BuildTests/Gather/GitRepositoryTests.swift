import Files
import SiteSupport

struct GitRepositoryTests {
  private let folder = TemporaryFolder()

  /// Returns the records, or the reason for the rejection.
  private func people(
    of path: String = "repo", in start: String = "", allowOutside: Bool = false
  ) throws -> String {
    do {
      let repository = try GitRepository(
        at: path, in: Folder(opening: folder.path(of: start)), allowOutside: allowOutside,
        Cancellation())
      return String(decoding: try repository.contributors(), as: UTF8.self)
    } catch let refusal as ManifestReader.Refusal {
      return refusal.cause
    }
  }

  @Test func `authors and co-authors are sorted by number of commits`() throws {
    let repository = try SampleRepository(in: folder)
    let badger = "Sample Badger <badger@example.org>"
    try repository.commit("Sample Otter", "Otter@example.org", with: [badger, "@nobody"])
    try repository.commit("Sample Otter", "otter@elsewhere.example", with: ["Sample Otter <o@o>"])
    for (name, mail) in [
      // Commits match a person by the name alone, by `.mailmap`, or by the account alone.
      ("Sample Otter", "Otter@example.org"), ("Sample Badger", "badger@users.noreply.github.com"),
      ("Sample Heron", "heron@example.org"), ("her", "7+sample-heron@users.noreply.github.com"),
      ("Fern", "sample-fern@users.noreply.github.com"),
      ("Sample Fern", "8+Sample-Fern@users.noreply.github.com"),
      ("Clover clover@example.org", "clover@example.org"), ("GitHub Actions", "a@example.org"),
      ("x", "49+x[bot]@users.noreply.github.com"), ("Mend", "bot@renovateapp.com"),
      ("Update", "1+renovate-bot@users.noreply.github.com"),
    ] { try repository.commit(name, mail) }
    try folder.write(
      "Sample Heron <heron@example.org> <7+sample-heron@users.noreply.github.com>\n",
      to: "repo/.mailmap")
    let hashes = ["clover", "otter", "badger"].map { Digest(of: $0 + "@example.org").hex }
    #expect(
      try people() == """
        {"commits":"4","email":"\(hashes[1])","name":"Sample Otter","title":"4 commits"}
        {"avatar":"github:sample-fern","commits":"2","name":"Fern","title":"2 commits"}
        {"avatar":"github:badger","commits":"2","email":"\(hashes[2])","name":"Sample Badger",\
        "title":"2 commits"}
        {"avatar":"github:sample-heron","commits":"2","name":"Sample Heron","title":"2 commits"}
        {"commits":"1","email":"\(hashes[0])","name":"Clover","title":"1 commit"}
        """)
  }

  /// A partial clone lacks a commit, which git would fetch with a program from the repository's
  /// config.
  @Test(arguments: [false, true])
  func `programs configured in a repository never run`(isPartial: Bool) throws {
    let repository = try SampleRepository(in: folder)
    let signature = "echo '[GNUPG:] SIG_CREATED ' >&2\necho -----BEGIN PGP SIGNATURE-----\n"
    let program = try folder.program(
      "#!/bin/sh\ntouch '\(folder.path(of: "mark"))'\n"
        // git sends the data to be signed to the program's standard input.
        + "case $* in *--status-fd*) cat >/dev/null ;; esac\n" + signature)
    let programs = [
      "core.fsmonitor", "core.pager", "pager.shortlog", "gpg.program", "diff.external",
      "core.sshCommand", "core.askPass", "credential.helper", "core.alternateRefsCommand",
    ]
    for setting in programs { try repository.git("config", setting, program) }
    try folder.write("Secret Name <otter@example.org>\n", to: "others")
    var settings = [
      "log.showSignature": "true", "mailmap.file": folder.path(of: "others"),
      "alias.shortlog": "!\(program)", "alias.rev-parse": "!\(program)",
    ]
    try folder.link("repo/.git/hooks/reference-transaction", to: program)
    for _ in 1...2 { try repository.commit("Sample Otter", "otter@example.org", "--gpg-sign") }
    let parent = try repository.git("rev-parse", "HEAD~")
    if isPartial {
      settings = [
        "remote.origin.url": "ext::\(program)", "remote.origin.promisor": "true",
        "protocol.ext.allow": "always", "extensions.partialClone": "origin",
      ]
      try folder.remove("repo/.git/objects/\(parent.prefix(2))/\(parent.dropFirst(2))")
    }
    for (setting, value) in settings { try repository.git("config", setting, value) }
    try folder.remove("mark")
    #expect(try people().contains(isPartial ? "git: " : #""name":"Sample Otter""#))
    #expect(!folder.exists("mark"))
    // Plain git runs the configured program. In newer versions, fewer commands fetch a commit.
    _ = try? isPartial ? repository.git("cat-file", "-t", parent) : repository.git("log", "HEAD")
    #expect(folder.exists("mark"))
  }

  @Test func `git is stopped when it exceeds the limits in security.md`() throws {
    let page = try Checkout.text(of: "docs/explanation/security.md").replacing("\n", with: " ")
    let (seconds, bytes) = (GitRepository.secondsLimit, GitRepository.outputLimit)
    #expect(page.contains("limited to \(seconds / 60) minutes and \(bytes >> 20) MiB of output"))
    try folder.makeFolder("bin")
    _ = try folder.program("#!/bin/sh\nexec yes # This git never stops printing.\n", at: "bin/git")
    var environment = RunningProgram.usualEnvironment
    environment["PATH"] = "\(folder.path(of: "bin")):/usr/bin:/bin"
    let ending = try RunningProgram(
      sitegen: ["build", "git:."], in: folder.path(of: ""), environment: environment
    ).ending()
    #expect(ending.err.contains("git took too long or listed too many people"), "\(ending.err)")
    #expect(ending.status == 2)
  }

  /// M11: symlinks and paths in the repository's files may not lead outside, either.
  @Test func `only repositories in the manifest's folder are read`() throws {
    let other = try SampleRepository("other", in: folder)
    try other.commit("Sample Otter", "otter@example.org")
    let dot = other.path + "/.git"
    try folder.makeFolder("site")
    try folder.link("site/link", to: other.path)
    try folder.write("gitdir: \(dot)\n", to: "site/file/.git")
    try other.git("worktree", "add", "--quiet", "--detach", folder.path(of: "site/tree"))
    let first = try "objects/" + other.git("rev-parse", "HEAD").prefix(2)
    for (name, part) in [("dot", ""), ("all", "/objects"), ("one", "/" + first)] {
      try folder.makeFolder("site/\(name)")
      try FileManager.default.copyItem(atPath: dot, toPath: folder.path(of: "site/\(name)/.git"))
      try folder.remove("site/\(name)/.git\(part)")
      try folder.link("site/\(name)/.git\(part)", to: dot + part)
    }
    try other.git("clone", "--quiet", "--shared", other.path, folder.path(of: "site/shared"))
    for path in ["link", "file", "tree", "dot", "all", "one", "shared", "../other"] {
      let cause = try people(of: path, in: "site")
      #expect(cause.hasSuffix("is outside the manifest's folder"), "\(path): \(cause)")
      #expect(try people(of: path, in: "site", allowOutside: true).contains("Otter"), "\(path)")
    }
    // Parent folders are not searched for a repository.
    try folder.makeFolder("other/below")
    #expect(try people(of: ".", in: "other/below") == "it is not a git repository")
    #expect(try people(of: ".", in: "other/below", allowOutside: true).contains("Otter"))
    #expect(try people(of: ".", in: "other").contains("Otter"))
    _ = try SampleRepository("empty", in: folder)
    #expect(try people(of: "empty") == "the repository does not have any commits")
  }
}
