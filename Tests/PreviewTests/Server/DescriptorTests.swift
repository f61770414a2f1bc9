import Foundation
import Glibc
import Preview
import Testing

/// In processes of their own, since a limit is for all of a process.
@Suite(.timeLimit(.minutes(15))) struct DescriptorTests {
  @Test func `a server takes as many descriptors as the system grants`() async {
    await #expect(processExitsWith: .success) {
      let most = DescriptorTests.limit(soft: 200, hard: 2000)
      let served = try Served()
      precondition(DescriptorTests.soft == most)
      // Both ends are in this process. Of 512, the last 64 are kept for newcomers.
      let wires = try (0..<448).map { _ in try served.wire() }
      for wire in wires { wire.send(served.request("/a%20b.txt")) }
      precondition(wires.allSatisfy { $0.answer()?.text == "a b" })
    }
  }

  /// S13: without descriptors nobody gets anything but the file.
  @Test func `where the system grants few, nobody gets anything but the file`() async {
    await #expect(processExitsWith: .success) {
      DescriptorTests.limit(soft: 400, hard: 400)
      let served = try Served()
      let wires = (0..<150).compactMap { _ in Wire(to: served.port) }
      for wire in wires { wire.send(served.request("/a%20b.txt")) }
      let answers = wires.map { $0.answer()?.text }
      // Some 136 at once; the others come in as those fall idle, if they wait for that.
      precondition(answers.count { $0 == "a b" } >= 50)
      precondition(answers.allSatisfy { $0 == nil || $0 == "a b" })
    }
  }

  @Test func `there are no more connections than descriptors allow, and always one`() {
    for (descriptors, connections) in [
      (0, 1), (130, 1), (256, 64), (1024, 448), (1151, 511), (1152, 512), (1 << 20, 512),
      (.max, 512),
    ] {
      #expect(PreviewSettings().fitting(descriptors: descriptors).connections == connections)
    }
  }

  /// Grants so many beyond those that this process was born with: the tests that run beside it may
  /// have hundreds open at that moment.
  ///
  /// - Returns: The hard limit as it is then.
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
