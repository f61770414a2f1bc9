import TestSupport

/// Looks at, or disturbs, the system calls of a program.
enum Strace {
  private static let program = "/usr/bin/strace"

  static let need = Need("strace that may trace (script/bootstrap test)") { works }

  private static let works: Bool = {
    let words = [program, "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "/bin/true"]
    return (try? RunningProgram(words).ending().status) == 0
  }()

  /// Writes every call of these names into a file.
  static func logging(_ calls: String, to log: String) -> [String] {
    [program, "-f", "--seccomp-bpf", "-qq", "-s", "4096", "-o", log, "-e", "trace=\(calls)"]
  }

  /// Replaces or accompanies calls: `error=ENOSPC:when=3`, `signal=SIGKILL:when=2`.
  ///
  /// - Parameters:
  ///   - calls: Names with commas; each thread counts its own.
  ///   - fault: What happens.
  ///   - path: Only calls on this file.
  /// - Returns: What the program is started through.
  static func disturbing(_ calls: String, _ fault: String, on path: String? = nil) -> [String] {
    let words = ["-e", "trace=\(calls)", "-e", "inject=\(calls):\(fault)"]
    // Not --seccomp-bpf, which is quicker: strace 6.1 then sends no signals.
    return [program, "-f", "-qq", "-o", "/dev/null"] + words + (path.map { ["-P", $0] } ?? [])
  }
}

/// What a program asked of the system, as strace wrote it down.
struct Audit {
  /// `1234 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3`.
  let lines: [String]

  init(log: String) throws {
    lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The calls of one name, those that were interrupted by another thread included.
  func calls(_ name: String) -> [String] {
    lines.filter { $0.contains(" \(name)(") }
  }

  /// The successful calls that open something.
  var opened: [String] {
    lines.filter { ($0.contains(" openat(") || $0.contains(" openat2(")) && !$0.contains(" = -1 ") }
  }
}

/// Which process did what: threads are counted to the process that started them.
struct ProcessAudit {
  /// The modes in which our program was started, `build` among them.
  private(set) var programs: [String] = []
  /// The mode of each process that opened a socket of the internet, once for each socket.
  private(set) var sockets: [String] = []

  /// Of a log with `execve`, `clone`, `clone3` and `socket`.
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
    // Only now, since a thread may be at work before the call that started it has returned.
    for opener in openers {
      var thread = opener
      while modes[thread] == nil, let starter = starters[thread] { thread = starter }
      sockets.append(modes[thread] ?? "nobody")
    }
  }
}
