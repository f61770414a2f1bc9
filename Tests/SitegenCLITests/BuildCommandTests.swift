import Build
import Diagnostics
import TestSupport

@testable import SitegenCLI

struct BuildCommandTests {
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

  @Test(arguments: endings)
  func `each failure is reported with its exit status and message`(ending: Ending) {
    let transcript = Transcript()
    #expect(ending.failure.report(to: Printer(transcript.console())).code == ending.code)
    #expect(transcript.err.contains("sitegen: error: something is wrong [some-id]\n"))
    #expect(transcript.out.isEmpty)
  }

  @Test(arguments: [(Int32(2), Int32(130)), (15, 143)])
  func `a build stopped by signal N exits with 128 + N`(signal: Int32, code: Int32) {
    #expect(SitegenCLI.ExitStatus(BuildFailure.cancelled(signal: signal)).code == code)
  }

  private func lines(_ report: Report) throws -> [String] {
    guard case .run(_, let arguments) = try Invocation(["build"]) else { return [] }
    return BuildSummary(report, try arguments.buildOptions("build")).lines
  }

  @Test func `a build that publishes a site with failures exits with 1`() throws {
    var report = Report()
    (report.users.ok, report.users.failed) = (99, 1)
    (report.pictures.own, report.pictures.initials, report.pictures.without) = (60, 39, 1)
    let result = BuildResult(report: report, diagnostics: Diagnostics(Self.problem))
    #expect(SitegenCLI.ExitStatus(result).code == 1)
    let lines = try lines(report)
    #expect(lines[0].hasPrefix("output: 100 users; "))
    #expect(
      lines[1] == "pictures: 60 with their own picture, 39 with initials, 1 with neither; 1 failed")
  }

  @Test func `a build without problems prints a summary`() throws {
    var report = Report()
    (report.users.ok, report.pictures.own) = (1, 1)
    report.counters.renders = 1
    report.counters.written = 3
    report.seconds = ["a": 1.2, "b": 0.05]
    #expect(
      SitegenCLI.ExitStatus(BuildResult(report: report, diagnostics: Diagnostics())).code == 0)
    #expect(
      try lines(report) == [
        "output: 1 user; 1 image rendered, 0 from the cache; 3 files written, 0 unchanged, 0 removed (1.25 s)",
        "pictures: 1 with their own picture, 0 with initials, 0 with neither",
      ])
  }

  @Test func `a strict check fails on warnings`() throws {
    let site = SiteFolder()
    try site.write(users: [("a", ["gone.png", "initials"])])
    let words = ["check", "--manifest", "content/manifest.json"]
    let check = try site.run(words)
    #expect(check.status == 0 && check.err.contains("warning: "))
    #expect(check.out.hasPrefix("content/manifest.json: 1 user\npictures: "))
    #expect(try site.run(words + ["--strict"]).status == 1)
  }
}
