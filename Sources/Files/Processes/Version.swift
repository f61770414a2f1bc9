import Foundation
import Glibc

package enum Version {
  package static let current = "0.1.0"

  /// Exits if this helper's version differs from the main program's, which is the first argument.
  ///
  /// A helper from a different version would silently ignore unknown fields.
  package static func checkStarted(by arguments: [String] = CommandLine.arguments) {
    let other = arguments.dropFirst().first ?? "another program"
    guard other != current else { return }
    let message = "this is version \(current), started by \(other.prefix(20))\n"
    FileHandle.standardError.write(Data(message.utf8))
    exit(2)
  }
}
