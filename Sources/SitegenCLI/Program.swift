import Diagnostics
import Foundation

/// The whole program: words of the command line in, exit status out.
package enum Program {
  package static func run(_ words: [String], _ session: Session) -> ExitStatus {
    do throws(Diagnostic) {
      switch try Invocation(words) {
      case .run(let command, let arguments):
        if let folder = arguments.text(.directory),
          !FileManager.default.changeCurrentDirectoryPath(folder)
        {
          throw .usage(.badValue, "there is no folder \(folder.quoted)", command.name)
        }
        return try command.run(arguments, session)
      case .help(let command):
        session.console.out((command.map { HelpPage($0) } ?? HelpPage(Command.all)).text)
        return .success
      case .nothing:
        session.console.err(HelpPage(Command.all).text)
        return .usage
      }
    } catch {
      Printer(session.console).problem(error)
      return .usage
    }
  }
}
