import CLinux
package import Glibc

/// One child process, and the parent's ends of its standard streams.
package final class ChildProcess {
  package enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// Another part of the program took its exit status.
    case unknown
  }

  package let processID: pid_t
  /// The three streams do not block.
  package let input: Descriptor
  package let output: Descriptor
  package let errorOutput: Descriptor
  private var ending: Ending?
  /// Its hard limit of processor time when it got the first job; it can only lower that.
  private var highest: rlim_t?
  private let processorClock: clockid_t
  /// Processor seconds used when it last got more.
  package private(set) var usedBefore = 0.0

  /// Starts a program with nothing but three pipes, an environment and the root as its folder.
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
    // Without one, the clock of this process: the child's time then seems long, never short.
    processorClock =
      unsafe clock_getcpuclockid(processID, &clock) == 0 ? clock : CLOCK_PROCESS_CPUTIME_ID
    input.writing.makeNonblocking()
    output.reading.makeNonblocking()
    errorOutput.reading.makeNonblocking()
    // The child's ends close here, so that we read the end when it dies.
    self.input = input.writing
    self.output = output.reading
    self.errorOutput = errorOutput.reading
  }

  deinit { _ = end() }

  /// Kills it if it still runs, and takes its exit status, so that it is not a zombie.
  @discardableResult
  package func end() -> Ending {
    if let ending { return ending }
    // The whole process group.
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

  /// The kernel ends it after so many more seconds of processor time.
  ///
  /// Set from outside, since a process that could set it could also raise it, and only the soft limit,
  /// since a lowered hard limit cannot be raised for the next job.
  package func allow(processorSeconds: Int) {
    let resource = Int32(RLIMIT_CPU.rawValue)
    var limits = rlimit()
    if highest == nil, unsafe linux_prlimit(processID, resource, nil, &limits) == 0 {
      highest = limits.rlim_max
    }
    guard let highest else { return }
    usedBefore = self.processorSeconds
    // The kernel counts whole seconds.
    limits.rlim_cur = min(highest, rlim_t(usedBefore.rounded(.up)) + rlim_t(processorSeconds))
    limits.rlim_max = highest
    _ = unsafe linux_prlimit(processID, resource, &limits, nil)
  }

  private func take(waiting: Bool) -> Ending? {
    if let ending { return ending }
    // First look without taking: until the status is taken, the group's number stays ours.
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
    // The macros WIFEXITED, WEXITSTATUS and WTERMSIG do not reach Swift.
    let signal = status & 0x7f
    ending =
      taken < 0
      ? .unknown : signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
    return ending
  }
}

extension ChildProcess {
  package static func prepareSignals() {
    // If a child dies while we write to it, only that write fails.
    signal(SIGPIPE, SIG_IGN)
    // If our parent ignored SIGCHLD, the kernel would take the exit statuses of our children.
    if isIgnored(SIGCHLD) { signal(SIGCHLD, SIG_DFL) }
  }

  /// Whether this process ignores a signal, perhaps since its parent did.
  package static func isIgnored(_ signal: Int32) -> Bool {
    var current = sigaction()
    guard unsafe sigaction(signal, nil, &current) == 0 else { return false }
    let handler = unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Uses `posix_spawn`, which does not copy the page tables of a large parent.
  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], streams: [Int32]
  ) throws(FileError) -> pid_t {
    // Both are filled by their init functions, used on this thread only, and destroyed below.
    var actions = unsafe posix_spawn_file_actions_t()
    try check("file_actions_init", unsafe posix_spawn_file_actions_init(&actions))
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (index, stream) in streams.enumerated() {
      try check(
        "adddup2", unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(index)))
    }
    try check("addclosefrom", unsafe linux_spawn_close_from(&actions, Int32(streams.count)))
    try check("addchdir", unsafe linux_spawn_change_folder(&actions, "/"))

    var attributes = posix_spawnattr_t()
    try check("attr_init", unsafe posix_spawnattr_init(&attributes))
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Threads of a queue block signals, SIGTERM and SIGXCPU among them: a child that inherited
    // that could not be stopped by its processor limit. It must not inherit ignored signals either.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    try check("setsigmask", unsafe posix_spawnattr_setsigmask(&attributes, &signals))
    unsafe sigfillset(&signals)
    try check("setsigdefault", unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
    // A new session and process group: Ctrl-C reaches only the parent, and the child has no
    // terminal.
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

  /// These calls return their error instead of setting `errno`.
  private static func check(_ call: String, _ code: Int32) throws(FileError) {
    if code != 0 { throw FileError("start", path: "a process (\(call))", code: code) }
  }

  /// Lends `strings` as a C array with a null at its end.
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

/// Both ends of a pipe, closed on exec and never 0, 1 or 2.
private struct Pipe: ~Copyable {
  /// Holds many portraits whole, so that a request costs few switches between the processes.
  private static let byteCount: Int32 = 1 << 20

  /// `F_SETPIPE_SZ`, which Swift's Glibc hides.
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
    // This fails when a user's share of pipe memory is used up, which costs only time.
    if isWide { _ = fcntl(writing.number, Self.setSize, Self.byteCount) }
  }

  /// A process that was started without stdin or stdout gives their numbers to a pipe, but a child's
  /// streams must go there.
  private static func aboveStandardStreams(_ number: Int32) -> Int32 {
    guard number <= 2 else { return number }
    let moved = fcntl(number, F_DUPFD_CLOEXEC, 3)
    _ = close(number)
    return moved
  }
}
