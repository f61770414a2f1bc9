import Diagnostics
import Files
import Manifest

extension Command {
  static let help: Command = Command(
    "help", "Print the options of a command, or list all commands",
    operands: [Operand(name: "COMMAND", help: "the command", isRequired: false)]
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
  static let schema: Command = Command(
    "schema", "Print the JSON Schema of the manifest, for editors",
    notes: [
      "`init` writes it beside the manifest as \(ManifestSchema.fileName), and names it in the first "
        + "line of the manifest. In a JSON manifest, the key `$schema` names it."
    ]
  ) { (_, session) throws(Diagnostic) in
    session.console.out(ManifestSchema.text)
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
