import Glibc

/// A point at which the program waits for the test; see `TestHooks.swift`.
package struct ProgramGate: Sendable {
  package struct NeverReached: Error {
    package let name: String
  }

  package let name: String
  private let folder = TemporaryFolder(inMemory: true)

  package init(_ name: String) { self.name = name }

  package var variables: [String: String] {
    ["SITEGEN_TEST_GATE": name, "SITEGEN_TEST_GATE_FOLDER": folder.path]
  }

  /// Waits until a worker or the build reaches the gate, and returns its process ID.
  @discardableResult
  package func reached() throws -> Int32 {
    var reached: Int32?
    _ = eventually {
      reached = passers.first
      return reached != nil
    }
    guard let reached else { throw NeverReached(name: name) }
    return reached
  }

  package var passers: [Int32] {
    folder.list().filter { $0.hasPrefix("reached-\(name)-") }
      .compactMap { Int32($0.split(separator: "-").last ?? "") }
  }

  /// Makes `reached` wait for the next process.
  package func forgetPassers() throws {
    for name in folder.list() where name.hasPrefix("reached-") { try folder.remove(name) }
  }

  package func open() throws { try folder.write("", to: "open") }
}

/// Polls a condition every 2 ms for up to a minute, and returns whether it became true.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < end {
    if try condition() { return true }
    usleep(2_000)
  }
  return false
}

/// Returns whether a process exists and is not a zombie.
package func isAlive(_ processID: Int32) -> Bool {
  guard let line = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
    let end = line.lastIndex(of: ")")
  else { return false }
  return !["Z", "X"].contains(line[end...].dropFirst(2).prefix(1))
}
