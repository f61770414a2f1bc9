import Diagnostics
import Sitegen

extension Command {
  static let help: Command = Command(
    "help", "Explain a command, or list them all",
    operand: Operand(name: "COMMAND", help: "the command to explain", isRequired: false)
  ) { (arguments, session) throws(Diagnostic) in
    guard let name = arguments.operands.first else {
      session.console.out(HelpPage(Command.all).text)
      return .success
    }
    guard let command = Command.named(name) else {
      throw .unknownCommand(name, Command.all)
    }
    session.console.out(HelpPage(command).text)
    return .success
  }
}
