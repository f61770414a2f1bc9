import Build
import Diagnostics
import SitegenCLI
import Testing

/// Commands over an engine that answers as it is told.
struct BuildCommandTests {
  private let transcript = Transcript()

  private func run(
    _ words: String..., build: @escaping @Sendable () throws(BuildFailure) -> BuildResult
  ) -> SitegenCLI.ExitStatus {
    var engine = Engine()
    engine.build = { (_, _, _) throws(BuildFailure) in try build() }
    engine.check = { (_, _) throws(BuildFailure) in try build() }
    engine.clean = { (_) throws(BuildFailure) in _ = try build() }
    return Program.run(words, Session(console: transcript.console(), engine: engine))
  }

  private static let problem = Diagnostic(.error, "some-id", "something is wrong")

  struct Ending: Sendable, CustomTestStringConvertible {
    var failure: BuildFailure
    var code: Int32
    var testDescription: String { "\(code)" }
  }

  static let endings = [
    Ending(failure: .usage(Diagnostics(problem)), code: 2),
    Ending(
      failure: .strict(BuildResult(report: Report(), diagnostics: Diagnostics(problem))), code: 1),
    Ending(failure: .machine(problem), code: 3),
    Ending(failure: .locked(problem), code: 75),
  ]

  @Test(arguments: endings, ["build", "check", "clean"])
  func `every failure has its number and is printed`(ending: Ending, command: String) {
    let status = run(command) { () throws(BuildFailure) in throw ending.failure }
    #expect(status.code == ending.code)
    #expect(transcript.err.contains("sitegen: error: something is wrong [some-id]\n"))
    #expect(transcript.out.isEmpty)
  }

  @Test(arguments: [(Int32(2), Int32(130)), (15, 143)])
  func `a signal is 128 and its number`(signal: Int32, code: Int32) {
    let status = run("build") { () throws(BuildFailure) in throw .cancelled(signal: signal) }
    #expect(status.code == code)
  }

  @Test func `a published site with failures is 1`() {
    let status = run("build") { () throws(BuildFailure) in
      var report = Report()
      (report.users.ok, report.users.failed) = (99, 1)
      (report.pictures.own, report.pictures.initials, report.pictures.without) = (60, 39, 1)
      return BuildResult(report: report, diagnostics: Diagnostics(Self.problem))
    }
    #expect(status == .someFailed)
    #expect(transcript.out.contains("output: 100 users; "))
    #expect(
      transcript.out.hasSuffix(
        "\nof the users: 60 with their own picture, 39 with initials, 1 without; 1 failed\n"))
    #expect(transcript.err == "sitegen: error: something is wrong [some-id]\n")
  }

  @Test func `a good build says what it did, and what people are shown with`() {
    let status = run("build") { () throws(BuildFailure) in
      var report = Report()
      (report.users.ok, report.pictures.own) = (1, 1)
      report.counters.renders = 1
      report.counters.written = 3
      report.seconds = ["a": 1.2, "b": 0.05]
      return BuildResult(report: report, diagnostics: Diagnostics())
    }
    #expect(status == .success)
    #expect(
      transcript.out
        == "output: 1 user; 1 image rendered, 0 known; 3 files written, 0 unchanged, 0 removed "
        + "(1.25 s)\nof the users: 1 with their own picture, 0 with initials, 0 without\n")
    #expect(transcript.err.isEmpty)
  }

  @Test func `quiet says nothing of a good build`() {
    let status = run("build", "--quiet") { () throws(BuildFailure) in
      BuildResult(report: Report(), diagnostics: Diagnostics())
    }
    #expect(status == .success)
    #expect(transcript.out.isEmpty && transcript.err.isEmpty)
  }

  @Test func `verbose lists every counter`() {
    _ = run("build", "--verbose") { () throws(BuildFailure) in
      BuildResult(report: Report(), diagnostics: Diagnostics())
    }
    for child in Mirror(reflecting: Counters()).children {
      #expect(transcript.out.contains("\n  \(child.label ?? "?") 0\n"))
    }
  }

  @Test func `a check counts one user as one`() {
    _ = run("check", "--templates", "t", "--cache", "c") { () throws(BuildFailure) in
      var report = Report()
      (report.users.ok, report.pictures.initials) = (1, 1)
      return BuildResult(report: report, diagnostics: Diagnostics())
    }
    #expect(
      transcript.out
        == "content/manifest.yaml: 1 user\n"
        + "of the users: 0 with their own picture, 1 with initials, 0 without\n")
  }

  @Test func `a strict check fails on a warning`() {
    let warning: @Sendable () throws(BuildFailure) -> BuildResult = { () throws(BuildFailure) in
      BuildResult(report: Report(), diagnostics: Diagnostics(Diagnostic(.warning, "w", "hm")))
    }
    #expect(run("check", build: warning) == .success)
    #expect(run("check", "--strict", build: warning) == .someFailed)
  }
}
