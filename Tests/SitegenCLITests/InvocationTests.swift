import Build
import Diagnostics
import Plan
import Store
import TestSupport

@testable import SitegenCLI

struct InvocationTests {
  /// Command lines with a mistake; two single quotes are an empty argument.
  private static let mistakes = [
    "biuld", "frobnicate", "--strict build", "--hlep",
    // Commands and options that were removed, and options of other programs.
    "mock --users 3 d", "plan", "render", "status", "assemble", "emit", "build --force",
    "build --retry-failed", "build --report r.json", "build --progress none", "serve -v",
    "check -C x", "verify --repair", "explain --json", "prune --now",
    "schedule install --name x", "schedule install --dry-run",
    "build --hlep", "build --ouput=x", "build --out x", "build -z", "clean --strict",
    "serve --shard 1/2", "build -j", "build --jobs", "build --output --strict", "build --jobs -1",
    "build -qn",
    "build --strict=yes", "build --output ''", "build --store-mode writ", "build --jobs=x",
    "build a b", "doctor x", "init", "init a b", "init ''", "diff a", "diff a ''", "diff a b c",
  ]

  @Test func `a usage error is reported with a suggestion`() throws {
    var text = ""
    for line in Self.mistakes {
      let words = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
      let thrown = #expect(throws: Diagnostic.self, "\(line)") { try Invocation(words) }
      let transcript = Transcript()
      Printer(transcript.console()).problem(try #require(thrown))
      text += "$ sitegen \(line)\n" + transcript.err
    }
    try expectSnapshot(text, "mistakes.txt")
  }

  @Test func `the build command has at most 26 options`() throws {
    #expect(try Command.named("build").options.count <= 26)
  }

  /// C14: `--jobs` below 1, above 32 or not a number is a usage error.
  @Test(arguments: ["0", "33", "-1", "+4", "1.5", "four", "", "99999999999999999999"])
  func `a number of jobs outside 1 to 32 is rejected`(jobs: String) {
    let thrown = #expect(throws: Diagnostic.self) { try Invocation(["build", "--jobs=\(jobs)"]) }
    #expect(thrown?.id == DiagnosticID.badValue.rawValue)
    #expect(thrown?.message.contains("from 1 to 32") == true)
  }

  /// C13: `--jobs` accepts 1 to 32, and its default is in this range.
  @Test(arguments: 1...32)
  func `a number of jobs from 1 to 32 is accepted`(jobs: Int) throws {
    #expect(try arguments("build", "--jobs", "\(jobs)").buildOptions("build").jobs == jobs)
    #expect((1...32).contains(try arguments("build").buildOptions("build").jobs))
  }

  @Test func `an option's value can follow a space or an equals sign`() throws {
    #expect(
      try arguments("build", "--output=a=b", "--cache", "c")
        == arguments("build", "--output", "a=b", "--cache=c"))
  }

  @Test func `if an option is repeated, the last one wins`() throws {
    #expect(try arguments("build", "--jobs", "2", "--jobs=3").buildOptions("build").jobs == 3)
    #expect(try arguments("build", "--strict", "--strict").buildOptions("build").strict)
  }

  @Test func `arguments after a double dash are operands`() throws {
    #expect(try arguments("init", "--", "--quiet").operands == ["--quiet"])
    #expect(try arguments("init", "--quiet", "--", "--").operands == ["--"])
  }

  @Test func `after an equals sign, a value may start with a dash`() throws {
    #expect(try arguments("build", "--output=-x").buildOptions("build").output == "-x")
    #expect(try arguments("build", "--output", "-").buildOptions("build").output == "-")
  }

  @Test func `a short option is equivalent to its long form`() throws {
    #expect(try arguments("build", "-j", "3").number(.jobs) == 3)
    #expect(try arguments("build", "-j3").number(.jobs) == 3)
    let both = try arguments("clean", "-q", "-mx", "-o", "..", "--", "-q")
    #expect(both.has(.quiet) && both.text(.manifest) == "x" && both.text(.output) == "..")
    #expect(both.operands == ["-q"])
  }

  @Test func `the build's default values match the help`() throws {
    let options = try arguments("build").buildOptions("build")
    #expect(options.manifest == "content/manifest.yaml")
    #expect(options.output == "output")
    #expect(options.cache == ".sitegen")
    #expect(options.templates == TemplatesFolder("templates", isNamed: false))
    #expect(!options.strict && !options.fetching.ignoringCache && !options.dryRun)
    #expect(!options.adopt && !options.allowEmpty)
  }

  @Test func `every build option takes effect`() throws {
    let options = try arguments(
      "build", "--manifest", "m", "--output", "o", "--cache", "c", "--templates", "t",
      "--strict", "--no-cache", "--dry-run", "--adopt", "--allow-empty"
    ).buildOptions("build")
    #expect([options.manifest, options.output, options.cache] == ["m", "o", "c"])
    #expect(options.templates == TemplatesFolder("t"))
    #expect(options.strict && options.fetching.ignoringCache && options.dryRun)
    #expect(options.adopt && options.allowEmpty)
  }

  @Test(arguments: [["help", "build"], ["build", "--help"], ["build", "--jobs", "2", "-h"]])
  func `the help option is accepted in every position`(words: [String]) throws {
    let transcript = Transcript()
    #expect(Program.run(words, Session(console: transcript.console())) == .success)
    #expect(transcript.out.contains("Usage: sitegen build [OPTIONS]"))
    #expect(transcript.err.isEmpty)
  }

  private func arguments(_ words: String...) throws -> RawArguments {
    guard case .run(_, let arguments) = try Invocation(words) else {
      Issue.record("\(words) does not run a command")
      return RawArguments()
    }
    return arguments
  }
}
