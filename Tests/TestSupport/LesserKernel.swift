package import Files
import Foundation

/// Programs that run as on a kernel that lacks some calls.
package enum LesserKernel {
  package static let need = Need("strace, and a kernel with Landlock") {
    Landlock.version != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")
  }

  /// A script that starts a program so, with a descriptor open that is not its own.
  ///
  /// A call may be told what it does instead, as strace writes it: `close_range:retval=0`.
  package static func script(_ program: String, without calls: [String]) -> String {
    let injections = calls.map { "-e inject=\($0.contains(":") ? $0 : "\($0):error=ENOSYS")" }
    let names = calls.map { $0.prefix { $0 != ":" } }.joined(separator: ",")
    return """
      #!/bin/sh
      exec 9</dev/null
      exec /usr/bin/strace -f -qq -o /dev/null -e trace=\(names) \
        \(injections.joined(separator: " ")) \(program) "$@"

      """
  }

  /// What a kernel may lack, and the layers of a jail that are left.
  package static let cases: [(missing: [String], jail: Jail)] = [
    (["landlock_create_ruleset"], [.systemCalls, .descriptors]),
    (["seccomp"], [.files, .descriptors]),
    (["seccomp", "landlock_create_ruleset"], .descriptors),
    // Neither can they be closed, nor is it seen which are open.
    (["close_range", "getdents64"], [.systemCalls, .files]),
  ]
}
