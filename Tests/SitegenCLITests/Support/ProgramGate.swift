import Foundation
import TestSupport

/// A place in the program where it waits until we let it go on; see `Gate`.
struct ProgramGate {
  /// Nobody came.
  struct NeverReached: Error {
    let name: String
  }

  let name: String
  private let folder = TemporaryFolder(inMemory: true)

  init(_ name: String) {
    self.name = name
  }

  var environment: [String: String] {
    RunningProgram.usualEnvironment.merging([
      "SITEGEN_TEST_GATE": name, "SITEGEN_TEST_GATE_FOLDER": folder.path,
    ]) { $1 }
  }

  /// Waits until a process stands at the gate, and gives its id: of a worker, or of the build.
  @discardableResult
  func reached() throws -> Int32 {
    var reached: Int32?
    _ = eventually {
      reached =
        folder.list().lazy.filter { $0.hasPrefix("reached-\(name)-") }
        .compactMap { Int32($0.split(separator: "-").last ?? "") }.first
      return reached != nil
    }
    guard let reached else { throw NeverReached(name: name) }
    return reached
  }

  func open() throws {
    try folder.write("", to: "open")
  }
}
