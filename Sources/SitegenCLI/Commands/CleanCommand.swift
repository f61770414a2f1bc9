import Diagnostics
import Sitegen

extension Command {
  static let clean: Command = Command(
    "clean", "Empty the store, and remove from the output what sitegen wrote",
    options: [.output, .cache, .quiet],
    notes: ["Files that sitegen did not write stay, and so does their folder."]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = arguments.buildOptions
    do throws(BuildFailure) {
      try session.engine.clean(options)
      printer.say("removed what sitegen wrote to \(options.output), and emptied \(options.cache)")
      return .success
    } catch {
      return error.report(to: printer)
    }
  }
}
