import Diagnostics

extension Command {
  static let version: Command = Command("version", "Print the version") {
    (_, session) throws(Diagnostic) in
    session.console.out("sitegen \(Version.current)\n")
    return .success
  }
}

/// The version of the program; CHANGELOG.md tells what each one brought.
package enum Version {
  package static let current = "0.1.0"
}
