import Foundation
import Glibc

/// The version of both programs; CHANGELOG.md tells what each one brought.
package enum Version {
  package static let current = "0.1.0"

  /// Ends a program that another version of the main program has started.
  ///
  /// Their version is its only word. What lies in one folder may be of two versions, and would leave
  /// out silently what one of them does not know.
  package static func checkStarted(by arguments: [String] = CommandLine.arguments) {
    let other = arguments.dropFirst().first ?? "another program"
    guard other != current else { return }
    let words = "this is version \(current), started by \(other.prefix(20))\n"
    FileHandle.standardError.write(Data(words.utf8))
    exit(2)
  }
}
