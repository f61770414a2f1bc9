import CLinux
import Glibc

/// Attacks from a compromised picture worker: system calls with forbidden kinds of arguments.
///
/// No attack does harm: signal 0 only tests a process, and files belong to the test.
struct PictureAttempts {
  let parent: pid_t
  let sibling: pid_t

  /// The result of each attempt as `name=number`: 0 for success, otherwise the error number.
  var words: String { attempts.map { "\($0.name)=\($0.outcome)" }.joined(separator: " ") }

  private typealias Attempt = (name: String, outcome: Int32)

  private func attempt(
    _ name: String, _ call: Int32, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0,
    _ e: Int = 0
  ) -> Attempt {
    let result = linux_call(Int(call), a, b, c, d, e, 0)
    // The forked child process ends here.
    if result == 0, name.hasPrefix("process") { _exit(0) }
    return (name, result < 0 ? errno : 0)
  }

  /// Makes a call with a path and a folder descriptor, which is ignored.
  private func attempt(
    _ name: String, _ call: Int32, path: String, _ c: Int = 0, _ d: Int = 0
  ) -> Attempt {
    unsafe path.withCString {
      attempt(name, call, Int(AT_FDCWD), Int(bitPattern: $0), c, d)
    }
  }

  private var attempts: [Attempt] {
    let anonymous = Int(MAP_PRIVATE | MAP_ANONYMOUS)
    let (pages, everything) = (4096, Int(PROT_READ | PROT_WRITE | PROT_EXEC))
    let writable = linux_call(
      Int(__NR_mmap), 0, pages, Int(PROT_READ | PROT_WRITE), anonymous, -1, 0)
    let making = Int(O_WRONLY | O_CREAT)
    let other = Int(parent)
    return [
      attempt("read-passwd", __NR_openat, path: "/etc/passwd"),
      attempt("read-passwd-beneath", __NR_openat2, path: "/etc/passwd"),
      attempt("list-processes", __NR_openat, path: "/proc", Int(O_DIRECTORY)),
      attempt("read-environment-of-parent", __NR_openat, path: "/proc/\(parent)/environ"),
      attempt("write-memory-of-parent", __NR_openat, path: "/proc/\(parent)/mem", Int(O_RDWR)),
      attempt("read-memory-of-sibling", __NR_openat, path: "/proc/\(sibling)/mem"),
      attempt("read-memory-of-parent", __NR_process_vm_readv, other, 0, 0, 0, 0),
      attempt("copy-into-parent", __NR_process_vm_writev, other, 0, 0, 0, 0),
      attempt("make-file", __NR_openat, path: "/tmp/sitegen-takeover", making, 0o600),
      attempt("make-folder", __NR_mkdirat, path: "/tmp/sitegen-takeover", 0o700),
      attempt("remove-file", __NR_unlinkat, path: "/tmp/sitegen-takeover"),
      attempt("rename-file", __NR_renameat2, path: "/tmp/sitegen-takeover", Int(AT_FDCWD)),
      attempt("link-file", __NR_linkat, path: "/tmp/sitegen-takeover", Int(AT_FDCWD)),
      attempt("change-mode", __NR_fchmodat, path: "/tmp/sitegen-takeover", 0o777),
      attempt("truncate-file", __NR_truncate, path: "/tmp/sitegen-takeover"),
      attempt("make-memory-file", __NR_memfd_create),
      attempt("mount", __NR_mount),
      attempt("change-root", __NR_chroot),
      attempt("connect", __NR_socket, Int(AF_INET), Int(SOCK_STREAM.rawValue)),
      attempt("connect-v6", __NR_socket, Int(AF_INET6), Int(SOCK_STREAM.rawValue)),
      attempt("connect-local", __NR_socket, Int(AF_UNIX), Int(SOCK_STREAM.rawValue)),
      attempt("send-datagram", __NR_socket, Int(AF_INET), Int(SOCK_DGRAM.rawValue)),
      attempt("make-socket-pair", __NR_socketpair, Int(AF_UNIX), Int(SOCK_STREAM.rawValue)),
      attempt("process-by-clone", __NR_clone, Int(SIGCHLD)),
      attempt("process-by-clone3", __NR_clone3),
      attempt("start-program", __NR_execveat, path: "/bin/true"),
      attempt("trace-parent", __NR_ptrace, 16, other),
      attempt("be-traced", __NR_ptrace, 0),
      attempt("signal-to-parent", __NR_kill, other),
      attempt("signal-to-sibling", __NR_kill, Int(sibling)),
      attempt("signal-to-all", __NR_kill, -1),
      attempt("signal-to-thread-of-parent", __NR_tgkill, other, other),
      attempt("descriptor-of-process", __NR_pidfd_open, other),
      attempt("raise-limits", __NR_prlimit64, 0, Int(RLIMIT_CPU.rawValue)),
      attempt("set-limits", __NR_prlimit64, 0, Int(RLIMIT_CORE.rawValue), writable),
      attempt("lower-limits-of-parent", __NR_prlimit64, other, Int(RLIMIT_CPU.rawValue)),
      attempt("be-traceable", __NR_prctl, Int(PR_SET_DUMPABLE), 1),
      attempt("another-filter", __NR_seccomp),
      attempt("new-namespace", __NR_unshare, Int(CLONE_NEWUSER)),
      attempt("enter-namespace", __NR_setns),
      attempt("ring-of-calls", __NR_io_uring_setup, 4),
      attempt("keys", __NR_keyctl, 0, -3),
      attempt("kernel-program", __NR_bpf),
      attempt("watch-processor", __NR_perf_event_open),
      attempt("catch-page-faults", __NR_userfaultfd),
      attempt("shared-memory", __NR_shmget, 0, pages, 0o1600),
      attempt("new-code", __NR_mmap, 0, pages, everything, anonymous, -1),
      attempt("data-as-code", __NR_mprotect, writable, pages, everything),
      attempt("another-user", __NR_setuid, 65_534),
      attempt("new-session", __NR_setsid),
      attempt("duplicate-descriptor", __NR_dup, 2),
      attempt("control-terminal", __NR_ioctl, 2, 0x5412),
      attempt("catch-signals", __NR_rt_sigaction, Int(SIGXCPU), 0, 0, 8),
      // This is the last attempt, because it closes the pipes.
      ("open-descriptors", Int32((3..<1024).count { close($0) == 0 })),
    ]
  }
}
