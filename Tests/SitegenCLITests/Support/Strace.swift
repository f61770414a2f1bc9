import Foundation
import TestSupport

/// Looks at, or disturbs, the system calls of a program.
enum Strace {
  private static let program = "/usr/bin/strace"

  static let need = Need("strace that may trace (script/bootstrap test)") { works }

  private static let works: Bool = {
    guard FileManager.default.isExecutableFile(atPath: program) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
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
