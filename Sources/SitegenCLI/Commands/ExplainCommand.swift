import Build
import Diagnostics

extension Option {
  fileprivate static let user = Option("user", .text("ID"), in: .own, "the user to explain")
  fileprivate static let file = Option(
    "file", .text("PATH"), in: .own, "the output file to explain")
  fileprivate static let style = Option("style", .text("NAME"), in: .own, "explain only this style")
}

extension Command {
  static let explain: Command = Command(
    "explain", "Show which source an avatar came from, or who an output file belongs to",
    operands: [.site],
    oneOf: [.user, .file], options: [.style, .manifest, .output, .cache, .jobs], exits: [3, 128]
  ) { (arguments, session) throws(Diagnostic) in
    let options = try arguments.buildOptions("explain")
    guard arguments.has(.user) != arguments.has(.file) else {
      throw .usage(
        .missingValue, "`explain` needs either --user or --file", "explain",
        help: "specify a person, such as --user ada, or a file in the output")
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
