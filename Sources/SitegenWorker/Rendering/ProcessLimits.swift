import CLinux
import Files
import Glibc

enum ProcessLimits {
  /// Limits the freed memory that the allocator keeps.
  ///
  /// Measured resident memory: 33 MB in a warm worker, and 41 to 68 MB after jobs of any size.
  static func configureAllocator() {
    OwnProcess.useOneArena()
    // By default, glibc raises both thresholds after freeing large blocks, and keeps pixel buffers.
    _ = linux_mallopt(Int32(LINUX_M_MMAP_THRESHOLD), 4 << 20)
    _ = linux_mallopt(Int32(LINUX_M_TRIM_THRESHOLD), 16 << 20)
  }

  static func set(addressSpace: Int) throws(FileError) {
    try OwnProcess.limit(addressSpace: addressSpace)
    // Enough for stdin, stdout, stderr, two pipes, and files for the policy and coders.
    try OwnProcess.limit(RLIMIT_NOFILE, to: 16)
  }

  /// Starts a timer that ends a hung worker if its build has died; a live build would do so sooner.
  static func beginJob() { alarm(600) }

  static func endJob() { alarm(0) }
}
