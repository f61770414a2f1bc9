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
      help: "`sitegen help` lists the commands"),
    Mistake(
      "mock --users 3 d", .unknownCommand, "the command \"mock\" was removed",
      help: "`sitegen init DIR` writes a small example; script/sample-people in the repository "
        + "makes large ones"),
    Mistake(
      "--strict build", .unknownCommand, "expected a command, found \"--strict\"",
      help: "options follow the command: `sitegen build --strict`"),
    Mistake(
      "build --ouput=x", .unknownOption, "`build` has no option \"--ouput\"",
      help: "did you mean --output?"),
    Mistake(
      "build --out x", .unknownOption, "`build` has no option \"--out\"",
      help: "did you mean --output?"),
    Mistake(
      "clean --strict", .unknownOption, "`clean` has no option \"--strict\"",
      help: "it belongs to `build`, `serve`, `check`, `schedule`"),
    Mistake(
      "build -z", .unknownOption, "`build` has no option \"-z\"",
      help: "`sitegen help build` tells how it is used"),
    Mistake("build -j", .missingValue, "-j needs a value", help: "write --jobs N"),
    Mistake(
      "build -qn", .badValue, "-q takes no value",
      help: "`sitegen help build` tells how it is used"),
    Mistake(
      "build a b", .unexpectedWord, "`build` takes one PATH, and \"b\" is a second",
      help: "`sitegen help build` tells how it is used"),
    Mistake(
      "build --jobs", .missingValue, "--jobs needs a value", help: "write --jobs N"),
    Mistake(
      "build --output --strict", .missingValue, "--output needs a value",
      help: "write --output DIR"),
    Mistake(
      "build --strict=yes", .badValue, "--strict takes no value",
      help: "`sitegen help build` tells how it is used"),
    Mistake(
      "build --output ''", .badValue, "--output: is empty", help: "give it a DIR"),
    Mistake(
      "build --progress bra", .badValue, "--progress: \"bra\" is not one of auto, bar, plain, none",
      help: "did you mean bar?"),
    Mistake(
      "doctor x", .unexpectedWord, "`doctor` takes no \"x\"",
      help: "`sitegen help doctor` tells how it is used"),
    Mistake(
      "init", .missingOperand,
      "`init` needs DIR: where to put it; the folder may exist, but has no manifest yet",
      help: "`sitegen help init` tells how it is used"),
    Mistake(
      "init a b", .unexpectedWord, "`init` takes one DIR, and \"b\" is a second",
      help: "`sitegen help init` tells how it is used"),
    Mistake(
      "init ''", .badValue, "DIR is empty", help: "`sitegen help init` tells how it is used"),
    Mistake(
      "build --jobs -1", .missingValue, "--jobs needs a value", help: "write --jobs N"),
    Mistake(
      "build --jobs=x", .badValue, "--jobs: \"x\" is not a whole number from 1 to 32",
      help: "`sitegen help build` tells how it is used"),
    Mistake(
      "build --jobs=-1", .badValue, "--jobs: -1 is not from 1 to 32",
      help: "`sitegen help build` tells how it is used"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is named and the way out is shown`(mistake: Mistake) {
    let thrown = #expect(throws: Diagnostic.self) { try Invocation(mistake.words) }
    #expect(thrown?.id == mistake.id.rawValue)
    #expect(thrown?.message == mistake.message)
    #expect(thrown?.help == mistake.help)
    #expect(thrown?.severity == .error)
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
    let both = try arguments("check", "-q", "-mx", "-C", "..", "--", "-q")
    #expect(both.has(.quiet) && both.text(.manifest) == "x" && both.text(.directory) == "..")
    #expect(both.operands == ["-q"])
  }

  @Test func `without options a build has the defaults of its help`() throws {
    let options = try arguments("build").buildOptions("build")
    #expect(options.manifest == "content/manifest.yaml")
    #expect(options.output == "output")
    #expect(options.cache == ".sitegen")
    #expect(options.templates == TemplatesFolder("templates", isNamed: false))
    #expect(options.report == nil)
    #expect(!options.strict && !options.force && !options.dryRun)
    #expect(!options.adopt && !options.allowEmpty)
  }

  @Test func `every option of a build arrives`() throws {
    let options = try arguments(
      "build", "--manifest", "m", "--output", "o", "--cache", "c", "--templates", "t", "--report",
      "r", "--strict", "--force", "--dry-run", "--adopt", "--allow-empty"
    ).buildOptions("build")
    #expect([options.manifest, options.output, options.cache] == ["m", "o", "c"])
    #expect(options.templates == TemplatesFolder("t") && options.report == "r")
    #expect(options.strict && options.force && options.dryRun)
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
