import CLinux
import Files
import Glibc

/// Limits that this process sets for itself.
///
/// There is no limit on processes: that one counts all of a user's.
enum ProcessLimits {
  /// How this process's allocator keeps and returns memory.
  ///
  /// Measured: 33 MB resident when warm, 41 to 68 MB after jobs of any size (49 megapixels
  /// included, which take 430 MB while they last), whatever the order; and 85 MB less address space
  /// than with an arena for each thread.
  static func configureAllocator() {
    _ = linux_mallopt(Int32(LINUX_M_ARENA_MAX), 1)
    // glibc would raise both as large blocks are freed, and then keep pixels for the next job.
    _ = linux_mallopt(Int32(LINUX_M_MMAP_THRESHOLD), 4 << 20)
    _ = linux_mallopt(Int32(LINUX_M_TRIM_THRESHOLD), 16 << 20)
  }

  static func set(addressSpace: Int) throws(SystemFailure) {
    try limit(RLIMIT_AS, to: addressSpace)
    // stdin, stdout, stderr, two pipes, and what reading a policy and loading a coder needs.
    try limit(RLIMIT_NOFILE, to: 16)
    try limit(RLIMIT_CORE, to: 0)
    // For all its jobs together. The build limits each; one that is taken over and outlives its build
    // ends here.
    try limit(RLIMIT_CPU, to: 3_600)
  }

  /// From here on this process cannot make a regular file grow; pipes are not counted.
  static func forbidFiles() throws(SystemFailure) {
    try limit(RLIMIT_FSIZE, to: 0)
  }

  /// Ends a worker that hangs after its build has died; a living build acts long before.
  static func beginJob() { alarm(600) }

  /// Between jobs a worker may wait without a limit.
  static func endJob() { alarm(0) }

  private static func limit(_ what: __rlimit_resource, to value: Int) throws(SystemFailure) {
    var limits = rlimit()
    let resource = __rlimit_resource_t(what.rawValue)
    unsafe getrlimit(resource, &limits)
    // A limit that the system has set lower stays.
    limits.rlim_max = min(limits.rlim_max, rlim_t(value))
    limits.rlim_cur = limits.rlim_max
    guard unsafe setrlimit(resource, &limits) == 0 else {
      throw SystemFailure(call: "setrlimit", code: errno)
    }
  }
}
