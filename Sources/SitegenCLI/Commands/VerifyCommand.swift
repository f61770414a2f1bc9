import Build
import Diagnostics
import Foundation

extension Option {
  fileprivate static let sample = Option(
    "sample", .number("N", 1...1_000_000),
    "render pictures of so many people again, without the cache, and compare them")
  fileprivate static let repair = Option(flag: "repair", "build what is wrong, and verify again")
}

extension Command {
  static let verify: Command = Command(
    "verify", "Look whether every file and link of the site is as it must be",
    operands: [.site],
    options: [
      .directory, .manifest, .output, .cache, .templates, .sample, .repair, .adopt, .jobs,
      .allowEmpty, .memory, .requireJail, .json, .quiet,
    ],
    notes: [
      "Every file is read, whatever its stamp says. Nothing is written without --repair, and nothing "
        + "is fetched by --sample.",
      "Exit status 0 when all is well, 1 when something is wrong, after --repair still. --adopt is "
        + "for a folder that is shared with other files.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = try arguments.buildOptions("verify")
    session.engine.confine(options.writable)
    return try Interruption.watched(session.console) { cancellation in
      var account = VerifyAccount(output: options.output)
      do throws(BuildFailure) {
        let found = try Verify(
          options, sample: arguments.number(.sample) ?? 0, repairs: arguments.has(.repair),
          cancellation: cancellation
        ).run()
        printer.problems(found.flaws)
        for line in Self.lines(found, options) { printer.say(line) }
        account.exitStatus = found.flaws.hasErrors ? 1 : 0
        account.counts = found.counts
        (account.problems, account.repaired) = (found.flaws.sorted, found.repaired)
      } catch {
        account.problems = error.allProblems
        account.exitStatus = error.report(to: printer).code
      }
      if arguments.has(.json) { session.console.print(json: account) }
      return ExitStatus(code: account.exitStatus)
    }
  }

  private static func lines(_ found: Verification, _ options: BuildOptions) -> [String] {
    let all = found.counts
    let counts = [
      (all.files, "file"), (all.links, "link"), (all.blobs, "blob"), (all.pictures, "picture"),
    ].filter { $0.0 > 0 }.map { BuildSummary.count($0.0, $0.1) }
    let flaws = found.flaws.count(.error)
    var lines = [
      "\(options.output): \(counts.joined(separator: ", ")) verified; "
        + (flaws == 0 ? "all is well" : BuildSummary.count(flaws, "problem"))
    ]
    if all.newPictures > 0 {
      lines.append(
        "\(BuildSummary.count(all.newPictures, "picture")) not compared: the next build makes them"
      )
    }
    if let repaired = found.repaired {
      lines.append("repaired: \(BuildSummary.count(repaired.count, "problem"))")
    }
    return lines
  }
}

/// What `--json` prints; docs/verify.md names each key.
private struct VerifyAccount: Encodable {
  var version = 1
  var exitStatus: Int32 = 0
  var output: String
  var counts: Verification.Counts?
  var problems: [Diagnostic] = []
  var repaired: [Diagnostic]?

  init(output: String) { self.output = output }
}
