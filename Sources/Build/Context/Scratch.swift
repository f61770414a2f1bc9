import Files
import Foundation

/// A private folder that is gone when its owner is: where a run works that must write nothing.
package final class Scratch: Sendable {
  package let path: String

  package init() throws {
    let name = "sitegen-\(UUID().uuidString.lowercased())"
    path = FileManager.default.temporaryDirectory.path + "/" + name
    _ = try Folder(making: path, mode: 0o700)
  }

  deinit {
    // What cannot be removed now is in the system's folder for such things.
    try? FileManager.default.removeItem(atPath: path)
  }
}
