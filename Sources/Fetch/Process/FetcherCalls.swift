import CLinux
import Glibc

/// System calls that a fetcher never needs, and that lead around Landlock: the kernel refuses them
/// (seccomp).
///
/// A service with a socket in the file system may do anything for us, such as start a program, so
/// there are sockets of the internet only, and the one by which the resolver sorts addresses.
enum FetcherCalls {
  private static let families = [AF_INET, AF_INET6, AF_NETLINK]

  private static let refused: [Int32] = [
    __NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
    __NR_pidfd_getfd, __NR_io_uring_setup, __NR_kill, __NR_unshare, __NR_setns, __NR_mount,
    __NR_bpf,
    __NR_add_key, __NR_keyctl, __NR_perf_event_open, __NR_userfaultfd,
  ]

  /// Refuses them in all threads of this process, for good; false where the kernel has no seccomp or
  /// the architecture is not known here.
  static func restrict() -> Bool {
    let architecture = linux_audit_architecture()
    guard architecture != 0 else { return false }
    let allow = step(BPF_RET | BPF_K, UInt32(SECCOMP_RET_ALLOW))
    let refuse = step(BPF_RET | BPF_K, UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM))
    // The fields of `seccomp_data`: the number of the call at 0, the architecture at 4, the lower
    // half of the first argument at 16.
    var program = [
      load(4), step(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0), refuse, load(0),
      // Calls of x32, which have numbers of their own.
      step(BPF_JMP | BPF_JGE | BPF_K, 0x4000_0000, 0, 1), refuse,
    ]
    for call in refused {
      program += [step(BPF_JMP | BPF_JEQ | BPF_K, UInt32(call), 0, 1), refuse]
    }
    program += [step(BPF_JMP | BPF_JEQ | BPF_K, UInt32(__NR_socket), 1, 0), allow, load(16)]
    for family in families {
      program += [step(BPF_JMP | BPF_JEQ | BPF_K, UInt32(family), 0, 1), allow]
    }
    program.append(refuse)
    return unsafe program.withUnsafeBufferPointer {
      unsafe linux_seccomp($0.baseAddress, UInt16($0.count)) == 0
    }
  }

  private static func load(_ offset: UInt32) -> sock_filter {
    step(BPF_LD | BPF_W | BPF_ABS, offset)
  }

  private static func step(
    _ code: Int32, _ value: UInt32, _ ifSo: UInt8 = 0, _ otherwise: UInt8 = 0
  ) -> sock_filter {
    sock_filter(code: UInt16(code), jt: ifSo, jf: otherwise, k: value)
  }
}
