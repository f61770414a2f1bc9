import CLinux
package import Glibc

/// The independent layers of a child process's sandbox.
package struct Sandbox: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: UInt8

  /// seccomp: only the system calls in a `SystemCallFilter` are allowed.
  package static let systemCalls = Sandbox(rawValue: 1 << 0)
  /// Landlock: files, ports and signals are denied unless a rule allows them.
  package static let files = Sandbox(rawValue: 1 << 1)
  package static let descriptors = Sandbox(rawValue: 1 << 2)
  package static let capabilities = Sandbox(rawValue: 1 << 3)
  package static let whole: Sandbox = [.systemCalls, .files, .descriptors, .capabilities]

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package var missing: String {
    let names = [
      (Sandbox.systemCalls, "seccomp"), (.files, "Landlock"),
      (.descriptors, "closing inherited descriptors"),
      (.capabilities, "dropping capabilities"),
    ]
    return names.filter { !contains($0.0) }.map(\.1).joined(separator: ", ")
  }

  package var sentence: String {
    let message =
      switch intersection([.systemCalls, .files]) {
      case [.systemCalls, .files]: "no files, no network, no programs (seccomp and Landlock)"
      case .systemCalls: "no files, no network, no programs (seccomp; Landlock is not available)"
      case .files:
        "no files, no connections (Landlock; without seccomp, workers can start programs)"
      default:
        "without seccomp and Landlock, a compromised decoder can do anything that you can"
      }
    return message + (contains(.descriptors) ? "" : "; inherited descriptors may be open")
      + (contains(.capabilities) ? "" : "; capabilities cannot be dropped")
  }

  /// Prevents the same user's processes, such as a compromised worker, from tracing this one.
  package static func forbidTracing() {
    _ = linux_call(Int(__NR_prctl), Int(PR_SET_DUMPABLE), 0, 0, 0, 0, 0)
  }

  package static func dropCapabilities() -> Sandbox {
    linux_drop_capabilities() == 0 ? .capabilities : []
  }

  /// Closes all descriptors except the standard streams and `kept`.
  ///
  /// - Returns: An empty set if a descriptor may still be open.
  package static func closeDescriptors(except kept: [Int32] = []) -> Sandbox {
    var areClosed = true
    var next: Int32 = 3
    for number in kept.sorted() {
      if number > next { areClosed = close(from: next, to: UInt32(number) - 1) && areClosed }
      next = max(next, number + 1)
    }
    areClosed = close(from: next, to: .max) && areClosed
    // Check what is still open: in some containers, `close_range` succeeds but does nothing.
    if let open = try? Folder(opening: "/proc/self/fd").entries() {
      let rest = open.compactMap { Int32($0.name) }.filter { $0 > 2 && !kept.contains($0) }
      for number in rest { _ = Glibc.close(number) }
      areClosed = rest.allSatisfy { fcntl($0, F_GETFD) == -1 }
    }
    return areClosed ? .descriptors : []
  }

  private static func close(from first: Int32, to last: UInt32) -> Bool {
    if linux_call(Int(__NR_close_range), Int(first), Int(last), 0, 0, 0, 0) == 0 { return true }
    // Kernels before 5.9 and some containers do not support `close_range`.
    for number in stride(from: first, through: Int32(min(last, 1 << 16)), by: 1) {
      _ = Glibc.close(number)
    }
    return last <= 1 << 16
  }
}

/// Limits that a process sets for itself before it reads untrusted input.
package enum OwnProcess {
  package static func limit(_ what: __rlimit_resource, to value: Int) throws(FileError) {
    var limits = rlimit()
    let resource = __rlimit_resource_t(what.rawValue)
    unsafe getrlimit(resource, &limits)
    limits.rlim_max = min(limits.rlim_max, rlim_t(value))
    limits.rlim_cur = limits.rlim_max
    guard unsafe setrlimit(resource, &limits) == 0 else {
      throw FileError("set", path: "a limit", code: errno)
    }
  }

  /// Limits address space and CPU time, and disables core dumps.
  ///
  /// RLIMIT_NPROC is not set, because it counts all of the user's processes.
  package static func limit(addressSpace: Int) throws(FileError) {
    try limit(RLIMIT_AS, to: addressSpace)
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_CPU, to: 3_600)
  }

  /// Keeps the nice value of this process and its workers.
  ///
  /// Otherwise, Dispatch raises its threads' priority. Its log would list each failed attempt.
  package static func keepNiceness() {
    linux_forbid_raising_priority()
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
  }

  /// Prevents this process from extending regular files.
  package static func forbidFiles() throws(FileError) {
    try limit(RLIMIT_FSIZE, to: 0)
  }

  /// Restricts malloc to one arena, because each further arena reserves 64 MB of address space.
  package static func useOneArena() { _ = linux_mallopt(Int32(LINUX_M_ARENA_MAX), 1) }
}
