import Diagnostics
import Files
import Manifest

extension Command {
  static let help: Command = Command(
    "help", "Print a command's options, or list all commands",
    operands: [Operand(name: "COMMAND", help: "the command", isRequired: false)]
  ) { (arguments, session) throws(Diagnostic) in
    let command = try arguments.operands.first.map(named)
    session.console.out((command.map { HelpPage($0) } ?? HelpPage()).text)
    return .success
  }

  static let schema: Command = Command(
    "schema", "Print the JSON Schema of the manifest, for editors"
  ) { (_, session) throws(Diagnostic) in
    session.console.out(ManifestSchema.text)
    return .success
  }

  static let version: Command = Command("version", "Print the version") {
    (_, session) throws(Diagnostic) in
    session.console.out("sitegen \(Version.current)\n")
    return .success
  }
}
