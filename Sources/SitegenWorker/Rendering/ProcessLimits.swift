import CLinux
import Files
import Glibc

enum ProcessLimits {
  /// Limits how much freed memory the allocator keeps.
  ///
  /// Measured: 33 MB resident when warm, 41 to 68 MB after jobs of any size, in any order. A
  /// 49-megapixel job temporarily needs 430 MB. One arena saves 85 MB of address space.
  static func configureAllocator() {
    OwnProcess.useOneArena()
    // Otherwise, glibc raises both limits after freeing large blocks, and keeps pixel buffers.
    _ = linux_mallopt(Int32(LINUX_M_MMAP_THRESHOLD), 4 << 20)
    _ = linux_mallopt(Int32(LINUX_M_TRIM_THRESHOLD), 16 << 20)
  }

  static func set(addressSpace: Int) throws(FileError) {
    try OwnProcess.limit(addressSpace: addressSpace)
    // Enough for stdin, stdout, stderr, two pipes, and files for the policy and coders.
    try OwnProcess.limit(RLIMIT_NOFILE, to: 16)
  }

  /// Ends a hung worker after its build has died; a running build ends it much sooner.
  static func beginJob() { alarm(600) }

  static func endJob() { alarm(0) }
}
