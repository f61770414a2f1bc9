import Diagnostics
import Files
import Manifest

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
  static let schema: Command = Command(
    "schema", "Print the JSON Schema of the manifest, for editors",
    notes: [
      "`init` puts it beside the manifest as \(ManifestSchema.fileName), which the first line of the "
        + "manifest names. In a manifest in JSON the key `$schema` names it."
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
