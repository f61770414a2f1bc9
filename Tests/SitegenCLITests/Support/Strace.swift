import TestSupport

/// Logs or disturbs a program's system calls.
enum Strace {
  private static let program = "/usr/bin/strace"

  static let need = Need("strace that may trace (script/bootstrap test)") { works }

  private static let works: Bool = {
    let words = [program, "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "/bin/true"]
    return (try? RunningProgram(words).ending().status) == 0
  }()

  static func logging(_ calls: String, to log: String) -> [String] {
    [program, "-f", "--seccomp-bpf", "-qq", "-s", "4096", "-o", log, "-e", "trace=\(calls)"]
  }

  /// Makes calls fail, or sends signals: `error=ENOSPC:when=3` or `signal=SIGKILL:when=2`.
  ///
  /// Call names are separated by commas; each thread counts its calls.
  static func disturbing(_ calls: String, _ fault: String, on path: String? = nil) -> [String] {
    let words = ["-e", "trace=\(calls)", "-e", "inject=\(calls):\(fault)"]
    // `--seccomp-bpf` would be faster, but strace 6.1 sends no signals with that option.
    return [program, "-f", "-qq", "-o", "/dev/null"] + words + (path.map { ["-P", $0] } ?? [])
  }
}

/// The system calls logged by strace.
struct Audit {
  /// The lines of the log, such as `1234 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3`.
  let lines: [String]

  init(log: String) throws {
    lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Returns the calls with this name, including interrupted ones.
  func calls(_ name: String) -> [String] { lines.filter { $0.contains(" \(name)(") } }

  var opened: [String] {
    lines.filter { ($0.contains(" openat(") || $0.contains(" openat2(")) && !$0.contains(" = -1 ") }
  }
}

/// The calls of each process, including those of its threads.
struct ProcessAudit {
  /// The commands or worker roles that were started.
  private(set) var programs: [String] = []
  /// The role of each process that opened an internet socket, once per socket.
  private(set) var sockets: [String] = []

  /// Requires a log with `execve`, `clone`, `clone3` and `socket`.
  init(_ audit: Audit) {
    var modes: [Substring: String] = [:]
    var isThread: [Substring: Bool] = [:]
    var starters: [Substring: Substring] = [:]
    var openers: [Substring] = []
    for line in audit.lines {
      guard let thread = line.split(separator: " ").first else { continue }
      if line.contains(" execve("), !line.contains(" = -1 ") {
        let mode = ["pictures", "network"].first { line.contains("\"\($0)\"]") } ?? "build"
        modes[thread] = mode
        programs.append(mode)
      }
      if line.contains(" clone(") || line.contains(" clone3(") {
        isThread[thread] = line.contains("CLONE_THREAD")
      }
      if line.contains("clone"), isThread[thread] == true,
        let new = line.split(separator: " ").last, new.allSatisfy(\.isNumber)
      {
        starters[new] = thread
      }
      if line.contains(" socket(AF_INET") { openers.append(thread) }
    }
    // This comes last, because a thread may call before its `clone` has returned.
    for opener in openers {
      var thread = opener
      while modes[thread] == nil, let starter = starters[thread] { thread = starter }
      sockets.append(modes[thread] ?? "nobody")
    }
  }
}
