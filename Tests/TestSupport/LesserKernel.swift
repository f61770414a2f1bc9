package import Files
import Glibc

/// Runs programs as if the kernel lacked some system calls.
package enum LesserKernel {
  package static let need = Need("strace, and a kernel with Landlock") {
    Landlock.version != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")
  }

  /// Returns a script that starts a program without some calls and with one more open descriptor.
  ///
  /// A call may specify an effect in strace's syntax, such as `close_range:retval=0`.
  /// `role` limits the effect to workers in that role.
  package static func script(
    _ program: String, without calls: [String], role: String? = nil
  ) -> String {
    let injections = calls.map { "-e inject=\($0.contains(":") ? $0 : "\($0):error=ENOSYS")" }
    let names = calls.map { $0.prefix { $0 != ":" } }.joined(separator: ",")
    return """
      #!/bin/sh
      \(role.map { "[ \"$2\" = \($0) ] || exec \(program) \"$@\"" } ?? "")
      exec 9</dev/null
      exec /usr/bin/strace -f -qq -o /dev/null -e trace=\(names) \
        \(injections.joined(separator: " ")) \(program) "$@"

      """
  }

  /// Sets of missing calls, each with the sandbox layers that remain.
  package static let cases: [(missing: [String], sandbox: Sandbox)] = [
    (["landlock_create_ruleset"], .whole.subtracting(.files)),
    (["seccomp"], .whole.subtracting(.systemCalls)),
    (["seccomp", "landlock_create_ruleset"], [.descriptors, .capabilities]),
    // In this case, descriptors can be neither closed nor listed.
    (["close_range", "getdents64"], .whole.subtracting(.descriptors)),
    (["capget"], .whole.subtracting(.capabilities)),
  ]
}

package enum OtherUser {
  /// In CI, the programs may be in a folder that other users cannot enter.
  package static let need = Need("root, and programs that other users can run", mayMissInCI: true) {
    guard geteuid() == 0 else { return false }
    let test = ["setpriv"] + words + ["test", "-x", BuiltProduct.worker]
    return (try? RunningProgram(test).ending().status) == 0
  }

  package static func script(_ program: String) -> String {
    "#!/bin/sh\nexec /usr/bin/setpriv \(words.joined(separator: " ")) \(program) \"$@\"\n"
  }

  private static let words = ["--reuid=65534", "--regid=65534", "--clear-groups"]
}

/// Returns the names of all nonempty capability sets in a process's threads.
package func capabilities(of process: pid_t) throws -> Set<String> {
  let folder = "/proc/\(process)/task"
  return try Set(
    FileManager.default.contentsOfDirectory(atPath: folder).flatMap { thread in
      try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8).split(
        separator: "\n"
      )
      .filter { $0.hasPrefix("Cap") && !$0.hasSuffix("\t0000000000000000") }
      .map { String($0.prefix(6)) }
    })
}
