import Files
import Foundation

/// A private folder for a run that must write nothing else; it is removed with this object.
package final class Scratch: Sendable {
  package let path: String

  package init() throws {
    let name = "sitegen-\(UUID().uuidString.lowercased())"
    path = FileManager.default.temporaryDirectory.path + "/" + name
    _ = try Folder(making: path, mode: 0o700)
  }

  deinit {
    // If this fails, the system clears its temporary folder.
    try? FileManager.default.removeItem(atPath: path)
  }
}
