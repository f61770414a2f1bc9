import Build
import Diagnostics
import Foundation

extension Option {
  fileprivate static let sample = Option(
    "sample", .number("N", 1...1_000_000),
    in: .own, "render the images of N people again and compare them with the cache")
  fileprivate static let part = Option(
    "shard", .text("I/N"), in: .own, "check only the files and people in shard I of N")
}

extension Command {
  static let verify: Command = Command(
    "verify", "Check every file and link in the built site",
    operands: [.site],
    options: [
      .manifest, .output, .cache, .sample, .part, .adopt, .jobs, .memory, .requireSandbox, .json,
      .quiet,
    ], exits: [1, 3, 75, 128]
  ) { (arguments, session) throws(Diagnostic) in
    let options = try arguments.buildOptions("verify")
    session.confine(options.writable)
    return try session.run(arguments, Account(output: options.output)) {
      (cancellation, printer, account) throws(BuildFailure) in
      let found = try Verify(
        options, sample: arguments.number(.sample) ?? 0, cancellation: cancellation
      ).run()
      printer.problems(found.flaws)
      for line in lines(found, options) { printer.say(line) }
      account.exitStatus = found.flaws.hasErrors ? 1 : 0
      let all = found.counts
      account.counts = [
        "files": all.files, "links": all.links, "blobs": all.blobs, "pictures": all.pictures,
        "newPictures": all.newPictures,
      ]
      account.problems = found.flaws.sorted
    }
  }

  private static func lines(_ found: Verification, _ options: BuildOptions) -> [String] {
    let all = found.counts
    let counts = [
      (all.files, "file"), (all.links, "link"), (all.blobs, "cached file"), (all.pictures, "image"),
    ].filter { $0.0 > 0 }.map { BuildSummary.count($0.0, $0.1) }.joined(separator: ", ")
    let flaws = found.flaws.count(.error)
    let result = flaws == 0 ? "no problems" : BuildSummary.count(flaws, "problem")
    let checked = counts.isEmpty ? "nothing" : counts
    let shard = options.shard.map { "shard \($0.number) of \($0.count): " } ?? ""
    var lines = ["\(options.output): \(shard)\(checked) verified; \(result)"]
    if all.newPictures > 0 {
      let count = BuildSummary.count(all.newPictures, "image")
      lines.append("\(count) not compared: not in the cache yet")
    }
    if flaws > 0, !counts.isEmpty {
      lines.append("to repair the site, run `sitegen build --no-cache`")
    }
    return lines
  }
}
