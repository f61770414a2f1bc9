import CLinux
import Files
import Glibc

enum ProcessLimits {
  /// Limits how much memory the allocator keeps.
  ///
  /// Measured: 33 MB resident when warm, 41 to 68 MB after jobs of any size, in any order. A job of
  /// 49 megapixels temporarily needs 430 MB. One arena saves 85 MB of address space.
  static func configureAllocator() {
    OwnProcess.useOneArena()
    // glibc raises both when large blocks are freed, and would then keep pixel buffers.
    _ = linux_mallopt(Int32(LINUX_M_MMAP_THRESHOLD), 4 << 20)
    _ = linux_mallopt(Int32(LINUX_M_TRIM_THRESHOLD), 16 << 20)
  }

  static func set(addressSpace: Int) throws(FileError) {
    try OwnProcess.limit(addressSpace: addressSpace)
    // stdin, stdout, stderr, two pipes, and files for the policy and coders.
    try OwnProcess.limit(RLIMIT_NOFILE, to: 16)
  }

  /// Ends a hanging worker whose build has died; a running build intervenes much earlier.
  static func beginJob() { alarm(600) }

  static func endJob() { alarm(0) }
}
