import CLinux
package import Glibc

package final class ChildProcess {
  package enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// Another part of the program reaped the process.
    case unknown
  }

  package let processID: pid_t
  package let input: Descriptor
  package let output: Descriptor
  package let errorOutput: Descriptor
  private var ending: Ending?
  /// The initial hard CPU limit, which the child itself can only lower.
  private var highest: rlim_t?
  private let processorClock: clockid_t
  /// The CPU seconds that the child had used when its limit was last extended.
  package private(set) var usedBefore = 0.0

  /// Starts a program in `/` with three nonblocking pipes and only the given environment.
  package init(
    program: String, arguments: [String], environment: [String: String]
  ) throws(FileError) {
    let input = try Pipe(isWide: true)
    let output = try Pipe(isWide: true)
    let errorOutput = try Pipe(isWide: false)
    processID = try Self.spawn(
      program, arguments, environment.map { "\($0.key)=\($0.value)" },
      streams: [input.reading.number, output.writing.number, errorOutput.writing.number])
    var clock = clockid_t()
    // Fall back to this process's CPU clock, which overestimates the child's CPU time.
    processorClock =
      unsafe clock_getcpuclockid(processID, &clock) == 0 ? clock : CLOCK_PROCESS_CPUTIME_ID
    input.writing.makeNonblocking()
    output.reading.makeNonblocking()
    errorOutput.reading.makeNonblocking()
    // Keep only our ends. The child's ends are closed here, so reads hit EOF when the child exits.
    self.input = input.writing
    self.output = output.reading
    self.errorOutput = errorOutput.reading
  }

  deinit { _ = end() }

  @discardableResult
  package func end() -> Ending {
    if let ending { return ending }
    _ = kill(-processID, SIGKILL)
    return take(waiting: true) ?? .unknown
  }

  package func endingByItself(within seconds: Double) -> Ending? {
    let deadline = SuspendingClock.now + .seconds(seconds)
    while true {
      if let ending = take(waiting: false) { return ending }
      guard SuspendingClock.now < deadline else { return nil }
      usleep(500)
    }
  }

  package var processorSeconds: Double {
    var time = timespec()
    guard unsafe clock_gettime(processorClock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Grants more CPU seconds; when they are used up, the kernel kills the process.
  ///
  /// The parent sets the limit, because a process that can set its limit can also raise it. Only
  /// the soft limit changes, because a lowered hard limit could not be raised for the next job.
  package func allow(processorSeconds: Int) {
    let resource = Int32(RLIMIT_CPU.rawValue)
    var limits = rlimit()
    if highest == nil, unsafe linux_prlimit(processID, resource, nil, &limits) == 0 {
      highest = limits.rlim_max
    }
    guard let highest else { return }
    usedBefore = self.processorSeconds
    limits.rlim_cur = min(highest, rlim_t(usedBefore.rounded(.up)) + rlim_t(processorSeconds))
    limits.rlim_max = highest
    _ = unsafe linux_prlimit(processID, resource, &limits, nil)
  }

  private func take(waiting: Bool) -> Ending? {
    if let ending { return ending }
    // Check with WNOWAIT first: until the child is reaped, its process group ID cannot be reused.
    var info = unsafe siginfo_t()
    var looked: Int32
    repeat {
      looked = unsafe waitid(
        P_PID, id_t(processID), &info, WEXITED | WNOWAIT | (waiting ? 0 : WNOHANG))
    } while looked < 0 && errno == EINTR
    if looked == 0 {
      if unsafe info.si_signo == 0 { return nil }
      _ = kill(-processID, SIGKILL)
    }
    var status: Int32 = 0
    var taken: pid_t
    repeat {
      taken = unsafe waitpid(processID, &status, waiting ? 0 : WNOHANG)
    } while taken < 0 && errno == EINTR
    if taken == 0 { return nil }
    // Swift does not import the macros WIFEXITED, WEXITSTATUS and WTERMSIG.
    let signal = status & 0x7f
    ending =
      taken < 0
      ? .unknown : signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
    return ending
  }
}

extension ChildProcess {
  package static func prepareSignals() {
    // Make a write to a dead child fail instead of killing this process.
    signal(SIGPIPE, SIG_IGN)
    // If the parent ignored SIGCHLD, the kernel would reap children automatically.
    if isIgnored(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
  }

  package static func isIgnored(_ signal: Int32) -> Bool {
    var current = sigaction()
    guard unsafe sigaction(signal, nil, &current) == 0 else { return false }
    let handler = unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Uses `posix_spawn`, which does not copy a large parent's page tables.
  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], streams: [Int32]
  ) throws(FileError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    try check("file_actions_init", unsafe posix_spawn_file_actions_init(&actions))
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (index, stream) in streams.enumerated() {
      try check("adddup2", unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(index)))
    }
    try check("addclosefrom", unsafe linux_spawn_close_from(&actions, Int32(streams.count)))
    try check("addchdir", unsafe linux_spawn_change_folder(&actions, "/"))

    var attributes = posix_spawnattr_t()
    try check("attr_init", unsafe posix_spawnattr_init(&attributes))
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Dispatch threads block signals such as SIGTERM and SIGXCPU. A child that inherited this mask
    // could not be stopped by its CPU limit. Ignored signals are also reset.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    try check("setsigmask", unsafe posix_spawnattr_setsigmask(&attributes, &signals))
    unsafe sigfillset(&signals)
    try check("setsigdefault", unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
    // Start a new session and process group, so that Ctrl-C reaches only the parent.
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Int32(LINUX_SPAWN_SETSID)
    try check("setflags", unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))

    var child: pid_t = 0
    let code = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawn(&child, program, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw FileError("start", path: program, code: code) }
    return child
  }

  /// Throws for an error code, which `posix_spawn` functions return instead of setting `errno`.
  private static func check(_ call: String, _ code: Int32) throws(FileError) {
    if code != 0 { throw FileError("start", path: "a process (\(call))", code: code) }
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer {
      for index in unsafe copies.indices { unsafe free(copies[index]) }
    }
    return unsafe body(copies + [nil])
  }
}

/// A pipe whose ends are closed on `exec` and are never descriptors 0, 1 or 2.
private struct Pipe: ~Copyable {
  /// The size of a wide pipe; most images fit in it, which saves context switches.
  private static let byteCount: Int32 = 1 << 20

  /// `F_SETPIPE_SZ`, which Glibc's Swift module does not export.
  private static let setSize: Int32 = 1_031

  let reading: Descriptor
  let writing: Descriptor

  init(isWide: Bool) throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe linux_pipe2(&ends, O_CLOEXEC) == 0 else {
      throw FileError("open", path: "a pipe", code: errno)
    }
    reading = Descriptor(adopting: Self.aboveStandardStreams(ends[0]))
    writing = Descriptor(adopting: Self.aboveStandardStreams(ends[1]))
    // This fails if the user's pipe memory is used up; smaller pipes are only slower.
    if isWide { _ = fcntl(writing.number, Self.setSize, Self.byteCount) }
  }

  /// Moves a descriptor above 2, because this process may run without stdin or stdout.
  private static func aboveStandardStreams(_ number: Int32) -> Int32 {
    guard number <= 2 else { return number }
    let moved = fcntl(number, F_DUPFD_CLOEXEC, 3)
    _ = close(number)
    return moved
  }
}
