import Build
import Diagnostics

extension Option {
  fileprivate static let user = Option("user", .text("ID"), "the user to explain")
  fileprivate static let file = Option("file", .text("PATH"), "the output file to explain")
  fileprivate static let style = Option("style", .text("NAME"), "only this style")
}

extension Command {
  static let explain: Command = Command(
    "explain", "Show which source an avatar came from, or who an output file belongs to",
    operands: [.site],
    options: [.user, .file, .style, .manifest, .output, .cache, .jobs],
    notes: [
      "Prints which sources were tried and why they failed, and for each image whether the next "
        + "build renders it again and why.",
      "Nothing is fetched, rendered or written.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let options = try arguments.buildOptions("explain")
    guard arguments.has(.user) != arguments.has(.file) else {
      throw .usage(.missingValue, "`explain` needs either --user or --file", "explain")
    }
    session.confine(options.writable)
    return try session.run(arguments, Account()) {
      (cancellation, printer, _) throws(BuildFailure) in
      let explain = Explain(options, cancellation: cancellation)
      var (user, style) = (arguments.text(.user), arguments.text(.style))
      var lines: [String] = []
      if let path = arguments.text(.file) {
        (lines, user, style) = try explain.file(path, style: style)
      }
      if let user { lines += try explain.user(user, style: style) }
      for line in lines { printer.say(line) }
    }
  }
}
