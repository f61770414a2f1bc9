import Diagnostics
import Foundation
import Samples

extension Command {
  static let initialize: Command = Command(
    "init", "Write a small example that builds, with a manifest that explains itself",
    operands: [
      Operand(name: "DIR", help: "where to put it; the folder may exist, but has no content/ yet")
    ],
    options: [.quiet]
  ) { (arguments, session) throws(Diagnostic) in
    let folder = arguments.operands[0]
    for taken in SampleSite.starter.texts.map(\.path) + ["content"] {
      let path = folder.hasSuffix("/") ? folder + taken : "\(folder)/\(taken)"
      if FileManager.default.fileExists(atPath: path) {
        throw .usage(
          .folderTaken, "\(path) is there already", "init",
          help: "name another folder; nothing is ever overwritten")
      }
    }
    let status = SampleWriting(
      site: .starter, folder: folder, jobs: 1,
      meter: ProgressMeter(session.console, style: .none), console: session.console
    ).run(arguments.volume)
    if status == .success {
      Printer(session.console, volume: arguments.volume)
        .say("next: cd \(folder) && sitegen build, then open output/index.html")
    }
    return status
  }
}
