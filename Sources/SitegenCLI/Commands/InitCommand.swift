import Diagnostics
import Foundation
import Samples
import Sitegen

extension Command {
  static let initialize: Command = Command(
    "init", "Write a small example that builds, with a manifest that explains itself",
    operand: Operand(
      name: "DIR", help: "where to put it; the folder may exist, but has no content/ yet",
      isRequired: true),
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
    let meter = ProgressMeter(session.console, style: .none)
    let writing = SampleWriting(
      site: .starter, folder: folder, jobs: 1, meter: meter, console: session.console)
    let printer = Printer(session.console, volume: arguments.volume)
    do throws(Diagnostic) {
      if let status = try writing.run() { return status }
    } catch {
      printer.problem(error)
      return .machine
    }
    printer.say("wrote \(folder): a manifest and \(SampleSite.starter.pictureCount) pictures")
    printer.say("next: cd \(folder) && sitegen build, then open output/index.html")
    return .success
  }
}
