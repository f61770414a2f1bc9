import Build
import Diagnostics
import Plan
import Store
import Testing

@testable import SitegenCLI

struct InvocationTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var words: [String]
    var id: DiagnosticID
    var message: String
    var help: String

    init(_ words: String, _ id: DiagnosticID, _ message: String, help: String) {
      self.words = words.split(separator: " ").map { $0 == "''" ? "" : String($0) }
      self.id = id
      self.message = message
      self.help = help
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  static let mistakes = [
    Mistake(
      "biuld", .unknownCommand, "unknown command \"biuld\"", help: "did you mean `build`?"),
    Mistake(
      "frobnicate", .unknownCommand, "unknown command \"frobnicate\"",
      help: "see `sitegen help`"),
    Mistake(
      "mock --users 3 d", .unknownCommand, "the command \"mock\" was removed",
      help: "`sitegen init DIR` writes a small example; script/sample-people in the repository "
        + "makes large ones"),
    Mistake(
      "--strict build", .unknownCommand, "expected a command, found \"--strict\"",
      help: "put options after the command: `sitegen build --strict`"),
    Mistake(
      "--hlep", .unknownCommand, "expected a command, found \"--hlep\"",
      help: "did you mean --help?"),
    Mistake(
      "build --hlep", .unknownOption, "unknown option \"--hlep\" of `build`",
      help: "did you mean --help?"),
    Mistake(
      "build --ouput=x", .unknownOption, "unknown option \"--ouput\" of `build`",
      help: "did you mean --output?"),
    Mistake(
      "build --out x", .unknownOption, "unknown option \"--out\" of `build`",
      help: "did you mean --output?"),
    Mistake(
      "clean --strict", .unknownOption, "unknown option \"--strict\" of `clean`",
      help: "it is an option of `build`, `serve`, `check`, `schedule`"),
    Mistake(
      "build -z", .unknownOption, "unknown option \"-z\" of `build`",
      help: "see `sitegen help build`"),
    Mistake("build -j", .missingValue, "-j needs a value", help: "write --jobs N"),
    Mistake(
      "build -qn", .badValue, "-q does not take a value",
      help: "see `sitegen help build`"),
    Mistake(
      "build a b", .unexpectedWord, "unexpected argument \"b\" after PATH",
      help: "see `sitegen help build`"),
    Mistake(
      "build --jobs", .missingValue, "--jobs needs a value", help: "write --jobs N"),
    Mistake(
      "build --output --strict", .missingValue, "--output needs a value",
      help: "write --output DIR"),
    Mistake(
      "build --strict=yes", .badValue, "--strict does not take a value",
      help: "see `sitegen help build`"),
    Mistake(
      "build --output ''", .badValue, "invalid value for --output: it is empty",
      help: "give it a DIR"),
    Mistake(
      "build --store-mode writ", .badValue,
      "invalid value for --store-mode: \"writ\" is not one of read, write, readwrite",
      help: "did you mean write?"),
    Mistake(
      "doctor x", .unexpectedWord, "unexpected argument \"x\"",
      help: "see `sitegen help doctor`"),
    Mistake(
      "init", .missingOperand,
      "missing DIR: the new folder; it may exist, but without a manifest",
      help: "see `sitegen help init`"),
    Mistake(
      "init a b", .unexpectedWord, "unexpected argument \"b\" after DIR",
      help: "see `sitegen help init`"),
    Mistake(
      "init ''", .badValue, "DIR is empty", help: "see `sitegen help init`"),
    Mistake(
      "build --jobs -1", .missingValue, "--jobs needs a value", help: "write --jobs N"),
    Mistake(
      "build --jobs=x", .badValue,
      "invalid value for --jobs: \"x\" is not a whole number from 1 to 32",
      help: "see `sitegen help build`"),
    Mistake(
      "build --jobs=-1", .badValue, "invalid value for --jobs: -1 is not from 1 to 32",
      help: "see `sitegen help build`"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is named and the way out is shown`(mistake: Mistake) {
    let thrown = #expect(throws: Diagnostic.self) { try Invocation(mistake.words) }
    #expect(thrown?.id == mistake.id.rawValue)
    #expect(thrown?.message == mistake.message)
    #expect(thrown?.help == mistake.help)
    #expect(thrown?.severity == .error)
  }

  @Test(arguments: [
    ("build --force", "use --no-cache"), ("serve -v", "report.json"),
    ("build --retry-failed", "use --refresh"), ("build --report r.json", "report.json"),
    ("check -C x", "PATH"), ("build --progress none", "--quiet"), ("verify --repair", "--no-cache"),
    ("schedule install --name x", "path"), ("schedule install --dry-run", "schedule print"),
    ("prune --now", "--max-age 0"), ("explain --json", "assets.json"),
  ])
  func `a removed option names the replacement`(words: String, replacement: String) {
    let thrown = #expect(throws: Diagnostic.self) {
      try Invocation(words.split(separator: " ").map(String.init))
    }
    #expect(thrown?.id == DiagnosticID.unknownOption.rawValue)
    #expect(thrown?.help?.contains(replacement) == true, "\(thrown?.help ?? "")")
  }

  @Test func `a build has at most 26 options`() throws {
    #expect(try Command.named("build").options.count <= 26)
  }

  /// C14: `--jobs` 0 or above 32 is a usage error, and so is what is no number.
  @Test(arguments: ["0", "33", "-1", "+4", "1.5", "four", "", "99999999999999999999"])
  func `jobs outside 1 to 32 are refused`(jobs: String) {
    let thrown = #expect(throws: Diagnostic.self) { try Invocation(["build", "--jobs=\(jobs)"]) }
    #expect(thrown?.id == DiagnosticID.badValue.rawValue)
    #expect(thrown?.message.contains("from 1 to 32") == true)
  }

  /// C13: `--jobs` takes every number from 1 to 32, and its default lies there too.
  @Test(arguments: 1...32)
  func `jobs from 1 to 32 are taken`(jobs: Int) throws {
    #expect(try arguments("build", "--jobs", "\(jobs)").buildOptions("build").jobs == jobs)
    #expect((1...32).contains(try arguments("build").buildOptions("build").jobs))
  }

  @Test func `both ways to write a value are the same`() throws {
    #expect(
      try arguments("build", "--output=a=b", "--cache", "c")
        == arguments("build", "--output", "a=b", "--cache=c"))
  }

  @Test func `the last of two counts`() throws {
    #expect(try arguments("build", "--jobs", "2", "--jobs=3").buildOptions("build").jobs == 3)
    #expect(try arguments("build", "--strict", "--strict").buildOptions("build").strict)
  }

  @Test func `after two dashes everything is an operand`() throws {
    #expect(try arguments("init", "--", "--quiet").operands == ["--quiet"])
    #expect(try arguments("init", "--quiet", "--", "--").operands == ["--"])
  }

  @Test func `a value may begin with a dash after an equals sign`() throws {
    #expect(try arguments("build", "--output=-x").buildOptions("build").output == "-x")
    #expect(try arguments("build", "--output", "-").buildOptions("build").output == "-")
  }

  @Test func `a letter is the same as its name`() throws {
    #expect(try arguments("build", "-j", "3").number(.jobs) == 3)
    #expect(try arguments("build", "-j3").number(.jobs) == 3)
    let both = try arguments("clean", "-q", "-mx", "-o", "..", "--", "-q")
    #expect(both.has(.quiet) && both.text(.manifest) == "x" && both.text(.output) == "..")
    #expect(both.operands == ["-q"])
  }

  @Test func `without options a build has the defaults of its help`() throws {
    let options = try arguments("build").buildOptions("build")
    #expect(options.manifest == "content/manifest.yaml")
    #expect(options.output == "output")
    #expect(options.cache == ".sitegen")
    #expect(options.templates == TemplatesFolder("templates", isNamed: false))
    #expect(!options.strict && !options.fetching.ignoringCache && !options.dryRun)
    #expect(!options.adopt && !options.allowEmpty)
  }

  @Test func `every option of a build arrives`() throws {
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
  func `help comes from anywhere`(words: [String]) throws {
    let transcript = Transcript()
    #expect(Program.run(words, Session(console: transcript.console())) == .success)
    #expect(transcript.out.contains("Usage: sitegen build [OPTIONS]"))
    #expect(transcript.err.isEmpty)
  }

  private func arguments(_ words: String...) throws -> RawArguments {
    guard case .run(_, let arguments) = try Invocation(words) else {
      Issue.record("\(words) runs nothing")
      return RawArguments()
    }
    return arguments
  }
}
