import Diagnostics
import Files

extension Command {
  static let help: Command = Command(
    "help", "Explain a command, or list them all",
    operands: [Operand(name: "COMMAND", help: "the command to explain", isRequired: false)]
  ) { (arguments, session) throws(Diagnostic) in
    let page =
      if let name = arguments.operands.first {
        HelpPage(try named(name))
      } else {
        HelpPage(all)
      }
    session.console.out(page.text)
    return .success
  }
}

extension Command {
  static let version: Command = Command("version", "Print the version") {
    (_, session) throws(Diagnostic) in
    session.console.out("sitegen \(Version.current)\n")
    return .success
  }
}
