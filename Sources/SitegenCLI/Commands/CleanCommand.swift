import Build
import Diagnostics
import Foundation

extension Command {
  static let clean: Command = Command(
    "clean", "Empty the cache and remove sitegen's files from the output",
    operands: [.site], options: [.manifest, .output, .cache, .quiet], exits: [3, 75, 128]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, isQuiet: arguments.isQuiet)
    let options = try arguments.buildOptions("clean")
    session.confine(options.writable)
    let isThere = [options.output, options.cache].contains(
      where: FileManager.default.fileExists(atPath:))
    do throws(BuildFailure) {
      // Wait for the deletion: a user who runs `clean` wants the space back now.
      if let error = try Clean(options).run().leftovers.finish() {
        throw BuildFailure(error, Cancellation())
      }
      printer.say(
        isThere
          ? "removed sitegen's files from \(options.output), and emptied \(options.cache)"
          : "nothing to remove: \(options.output) and \(options.cache) do not exist")
      return .success
    } catch {
      return error.report(to: printer)
    }
  }
}
