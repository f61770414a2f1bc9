import Diagnostics
import Sitegen

extension Command {
  static let version: Command = Command("version", "Print the version") {
    (_, session) throws(Diagnostic) in
    session.console.out("sitegen \(Version.current)\n")
    return .success
  }
}
