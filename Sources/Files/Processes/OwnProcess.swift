import CLinux
package import Glibc

/// What a process gives away for good before it reads what strangers send.
package enum OwnProcess {
  /// Lowers a limit; one that the system has set lower stays.
  package static func limit(_ what: __rlimit_resource, to value: Int) throws(SystemFailure) {
    var limits = rlimit()
    let resource = __rlimit_resource_t(what.rawValue)
    unsafe getrlimit(resource, &limits)
    limits.rlim_max = min(limits.rlim_max, rlim_t(value))
    limits.rlim_cur = limits.rlim_max
    guard unsafe setrlimit(resource, &limits) == 0 else {
      throw SystemFailure(call: "setrlimit", code: errno)
    }
  }

  /// Sets the limits of a process that may be taken over.
  ///
  /// Its parent limits each of its tasks; the time here is for all of them together, and ends one that
  /// outlives its parent. There is no limit on processes: that one counts all of a user's.
  package static func limit(addressSpace: Int) throws(SystemFailure) {
    try limit(RLIMIT_AS, to: addressSpace)
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_CPU, to: 3_600)
  }

  /// Dispatch gives its threads a priority of their own, which only root may raise: then `nice` would say
  /// nothing, neither for them nor for the workers that they start.
  ///
  /// It would tell the system's log of each that it may not raise.
  package static func keepNiceness() {
    linux_forbid_raising_priority()
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
  }

  /// From here on this process cannot make a regular file grow; pipes are not counted.
  package static func forbidFiles() throws(SystemFailure) {
    try limit(RLIMIT_FSIZE, to: 0)
  }

  /// Shares one area of memory between all threads.
  ///
  /// Each other area would reserve 64 MB of address space.
  package static func useOneArena() { _ = linux_mallopt(Int32(LINUX_M_ARENA_MAX), 1) }
}
