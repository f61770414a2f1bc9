import TestSupport
import Testing

@Suite struct RunningProgramTests {
  /// Hundreds of runs in one process of tests would have used up its descriptors.
  @Test func `a run that has ended leaves no descriptor open`() throws {
    let program = try RunningProgram(["version"], in: "/")
    #expect(try program.ending().status == 0)
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let open = numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.isEmpty && !open.contains { $0.hasPrefix(program.streams.path) })
  }
}
