import Foundation
import Glibc
import Preview
import Testing

/// Each test runs in a child process, since the limit applies to a whole process.
@Suite(.timeLimit(.minutes(15))) struct DescriptorTests {
  @Test func `a server raises its descriptor limit to the hard limit`() async {
    await #expect(processExitsWith: .success) {
      let most = DescriptorTests.limit(soft: 200, hard: 2000)
      let served = try Served()
      precondition(DescriptorTests.soft == most)
      // Both ends of a connection are in this process, and 64 of 512 are reserved for new clients.
      let wires = try (0..<448).map { _ in try served.wire() }
      for wire in wires { wire.send(served.request("/a%20b.txt")) }
      precondition(wires.allSatisfy { $0.answer()?.text == "a b" })
    }
  }

  /// S13: without descriptors, clients get the file, an error or no response.
  @Test func `a server that is short of descriptors never sends incomplete files`() async {
    await #expect(processExitsWith: .success) {
      DescriptorTests.limit(soft: 400, hard: 400)
      let served = try Served()
      let wires = (0..<150).compactMap { _ in Wire(to: served.port) }
      for wire in wires { wire.send(served.request("/a%20b.txt")) }
      let answers = wires.map { $0.answer()?.text }
      // About 136 connections fit at once, and others are accepted when those become idle.
      precondition(answers.count { $0 == "a b" } >= 50)
      precondition(answers.allSatisfy { [nil, "a b", "The file cannot be read.\n"].contains($0) })
    }
  }

  @Test func `the descriptor limit caps connections but always allows at least one`() {
    for (descriptors, connections) in [
      (0, 1), (130, 1), (256, 64), (1024, 448), (1151, 511), (1152, 512), (1 << 20, 512),
      (.max, 512),
    ] {
      #expect(PreviewSettings().fitting(descriptors: descriptors).connections == connections)
    }
  }

  /// Sets limits beyond the descriptors inherited from the test process, which may be hundreds.
  ///
  /// - Returns: The resulting hard limit.
  @discardableResult
  private static func limit(soft: UInt, hard: UInt) -> UInt {
    let born = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    let (soft, hard) = (soft + UInt(born), hard + UInt(born))
    var limits = rlimit(rlim_cur: soft, rlim_max: hard)
    precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
    return hard
  }

  private static var soft: UInt {
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return limits.rlim_cur
  }
}
