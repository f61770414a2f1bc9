import CLinux
import Files
import Glibc

/// Both ends of a pipe, closed on exec and never 0, 1 or 2.
struct Pipe: ~Copyable {
  /// Holds many portraits whole, so that a request costs few switches between the processes.
  private static let byteCount: Int32 = 1 << 20

  /// `F_SETPIPE_SZ`, which Swift's Glibc hides.
  private static let setSize: Int32 = 1_031

  let reading: Descriptor
  let writing: Descriptor

  init() throws(SystemFailure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe linux_pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemFailure("pipe2", errno) }
    reading = Descriptor(adopting: Self.aboveStandardStreams(ends[0]))
    writing = Descriptor(adopting: Self.aboveStandardStreams(ends[1]))
    // Beyond a user's share of pipe memory this fails, and costs only time.
    _ = fcntl(writing.number, Self.setSize, Self.byteCount)
  }

  /// In a process started without stdin or stdout a pipe gets their numbers, over which a child's
  /// streams are then laid.
  private static func aboveStandardStreams(_ number: Int32) -> Int32 {
    guard number <= 2 else { return number }
    let moved = fcntl(number, F_DUPFD_CLOEXEC, 3)
    _ = close(number)
    return moved
  }
}
