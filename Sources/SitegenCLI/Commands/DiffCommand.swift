import Build
import Compare
import Diagnostics
import Foundation
import Plan

extension Option {
  static let to = Option("to", .text("DIR"), absent: "diff", in: .own, "the folder for the page")
}

extension Command {
  static let diff: Command = Command(
    "diff", "Write a page that shows how two sites differ",
    operands: [
      Operand(name: "OLD", help: "the earlier build's output or site folder"),
      Operand(name: "NEW", help: "the later build's output or site folder"),
    ],
    options: [.to, .templates, .json, .quiet], exits: [3, 128]
  ) { (arguments, session) throws(Diagnostic) in
    // If the path is a site folder, use the site's output.
    let outputs = arguments.operands.map { path in
      FileManager.default.fileExists(atPath: path + "/output/assets.json") ? path + "/output" : path
    }
    var comparison = Comparison(old: outputs[0], new: outputs[1])
    if let folder = arguments.text(.to) { comparison.to = folder }
    if let folder = arguments.text(.templates) { comparison.templates = TemplatesFolder(folder) }
    return try session.run(arguments, Account()) {
      (cancellation, printer, account) throws(BuildFailure) in
      let outcome = try comparison.run(cancellation)
      printer.problems(outcome.warnings)
      let page = comparison.to + (comparison.to.hasSuffix("/") ? "" : "/") + "index.html"
      for line in lines(outcome, page) { printer.say(line) }
      (account.page, account.equal) = (page, outcome.isEqual)
      account.counts = [
        "changed": outcome.changed, "added": outcome.added, "removed": outcome.removed,
        "buttons": outcome.buttons, "strips": outcome.strips,
      ]
      account.problems = outcome.warnings.sorted
    }
  }

  private static func lines(_ outcome: Comparison.Outcome, _ page: String) -> [String] {
    var first = "\(outcome.changed) changed, \(outcome.added) added, \(outcome.removed) removed"
    let more = [
      (outcome.buttons, "button state", "button states"),
      (outcome.strips, "strip", "strips"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    if !more.isEmpty { first += "; " + more.joined(separator: ", ") }
    return [first] + (outcome.isEqual ? ["the sites are identical"] : []) + ["page: \(page)"]
  }
}
