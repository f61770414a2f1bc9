import Foundation
import Glibc

package enum Version {
  package static let current = "0.1.0"

  /// Exits a helper program if the main program has another version.
  ///
  /// The main program passes its version as the only argument. Helpers of another version would
  /// silently ignore fields that they do not know.
  package static func checkStarted(by arguments: [String] = CommandLine.arguments) {
    let other = arguments.dropFirst().first ?? "another program"
    guard other != current else { return }
    let message = "this is version \(current), started by \(other.prefix(20))\n"
    FileHandle.standardError.write(Data(message.utf8))
    exit(2)
  }
}
