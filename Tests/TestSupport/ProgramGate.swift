import Glibc

/// A place in the program where it waits until we let it go on; see `TestHooks.swift`.
package struct ProgramGate: Sendable {
  /// Nobody came.
  package struct NeverReached: Error {
    package let name: String
  }

  package let name: String
  private let folder = TemporaryFolder(inMemory: true)

  package init(_ name: String) {
    self.name = name
  }

  /// What the program's environment must say.
  package var variables: [String: String] {
    ["SITEGEN_TEST_GATE": name, "SITEGEN_TEST_GATE_FOLDER": folder.path]
  }

  /// Waits until a process stands at the gate, and gives its id: of a worker, or of the build.
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

  /// Every process that came so far.
  package var passers: [Int32] {
    folder.list().filter { $0.hasPrefix("reached-\(name)-") }
      .compactMap { Int32($0.split(separator: "-").last ?? "") }
  }

  /// So that `reached` waits for the next one.
  package func forgetPassers() throws {
    for name in folder.list() where name.hasPrefix("reached-") { try folder.remove(name) }
  }

  package func open() throws {
    try folder.write("", to: "open")
  }
}

/// Whether something becomes true within a minute; the condition is looked at every 2 ms.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < end {
    if try condition() { return true }
    usleep(2_000)
  }
  return false
}

/// Whether a process is there and does something: one that is dead and unburied does not.
package func isAlive(_ processID: Int32) -> Bool {
  guard let line = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
    let end = line.lastIndex(of: ")")
  else { return false }
  return !["Z", "X"].contains(line[end...].dropFirst(2).prefix(1))
}
