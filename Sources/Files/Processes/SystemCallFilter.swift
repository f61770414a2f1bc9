import CLinux
import Glibc

/// An allowlist of system calls as a seccomp BPF program.
///
/// A denied call returns EPERM instead of killing the process, because some libraries open message
/// catalogs when decoding fails.
package struct SystemCallFilter {
  /// A condition on an argument of a call; only `null` compares all 64 bits.
  package enum Condition {
    case without(UInt32, argument: Int)
    case with(UInt32, argument: Int)
    /// The argument equals one of these numbers after the bits in `mask` are cleared.
    case among([UInt32], argument: Int, mask: UInt32 = 0)
    case null(argument: Int)
    /// Makes the call fail with ENOSYS, as on a kernel without this call.
    case unknown
  }

  /// A rule that allows a call if all conditions are met; a call may have several rules.
  package typealias Rule = (call: Int32, conditions: [Condition])

  private let rules: [Rule]

  /// Creates a filter that denies calls without a rule; frequent calls should come first.
  package init(_ rules: [Rule]) { self.rules = rules }

  /// The rules for computation, threads, and signals to the process itself.
  ///
  /// `clone3` returns ENOSYS, because a filter cannot read its flags; glibc then uses `clone`.
  package static var computing: [Rule] {
    let always = [
      __NR_read, __NR_write, __NR_munmap, __NR_madvise, __NR_futex, __NR_brk, __NR_close,
      __NR_clock_gettime, __NR_gettimeofday, __NR_getrusage, __NR_times, __NR_getpid, __NR_gettid,
      __NR_sched_yield, __NR_sched_getaffinity, __NR_nanosleep, __NR_clock_nanosleep,
      __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack, __NR_restart_syscall,
      __NR_set_robust_list, __NR_rseq, __NR_getrandom, __NR_sysinfo, __NR_exit,
      __NR_exit_group, __NR_mremap,
    ]
    let thread = UInt32(CLONE_THREAD | CLONE_VM | CLONE_SIGHAND)
    return always.map { ($0, []) } + [
      (__NR_tgkill, [.among([UInt32(getpid())], argument: 0)]),
      (__NR_clone, [.with(thread, argument: 0)]),
      (__NR_clone3, [.unknown]),
    ]
  }

  /// Restricts all threads permanently; returns false if seccomp or the CPU is not supported.
  package func install() -> Bool {
    guard linux_audit_architecture() != 0 else { return false }
    let program = instructions
    return unsafe program.withUnsafeBufferPointer {
      unsafe linux_seccomp($0.baseAddress, UInt16($0.count)) == 0
    }
  }

  private var instructions: [sock_filter] {
    var program = [
      Self.load(offset: 4),
      Self.step(BPF_JMP | BPF_JEQ | BPF_K, linux_audit_architecture(), 1, 0), Self.denial,
      Self.load(offset: 0),
      // Deny the x32 ABI, which uses different call numbers.
      Self.step(BPF_JMP | BPF_JGE | BPF_K, 0x4000_0000, 0, 1), Self.denial,
    ]
    for (call, conditions) in rules {
      // Build backwards, because an unmet condition skips the rest of its rule.
      let answer = conditions.reversed().reduce([Self.permission]) { rest, condition in
        Self.check(condition, orSkip: UInt8(rest.count)) + rest
      }
      // If the rule does not match, reload the call number for the next rule. A jump can skip at
      // most 255 instructions.
      let rule = answer + [Self.load(offset: 0)]
      program.append(Self.step(BPF_JMP | BPF_JEQ | BPF_K, UInt32(call), 0, UInt8(rule.count)))
      program += rule
    }
    return program + [Self.denial]
  }

  private static func check(_ condition: Condition, orSkip rest: UInt8) -> [sock_filter] {
    switch condition {
    case .unknown: [answer(SECCOMP_RET_ERRNO, UInt32(ENOSYS))]
    case .without(let bits, let argument):
      [load(argument), step(BPF_JMP | BPF_JSET | BPF_K, bits, rest, 0)]
    case .with(let bits, let argument):
      [
        load(argument), step(BPF_ALU | BPF_AND | BPF_K, bits),
        step(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, rest),
      ]
    case .among(let values, let argument, let mask):
      [load(argument), step(BPF_ALU | BPF_AND | BPF_K, ~mask)]
        + values.enumerated().map { index, value in
          let left = UInt8(values.count - index - 1)
          return step(BPF_JMP | BPF_JEQ | BPF_K, value, left, left == 0 ? rest : 0)
        }
    case .null(let argument):
      [
        load(argument), step(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, rest + 2),
        load(argument, isUpper: true), step(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, rest),
      ]
    }
  }

  private static var permission: sock_filter { step(BPF_RET | BPF_K, UInt32(SECCOMP_RET_ALLOW)) }
  private static var denial: sock_filter { answer(SECCOMP_RET_ERRNO, UInt32(EPERM)) }

  private static func answer(_ action: UInt32, _ code: UInt32) -> sock_filter {
    step(BPF_RET | BPF_K, action | code)
  }

  private static func load(offset: UInt32) -> sock_filter {
    step(BPF_LD | BPF_W | BPF_ABS, offset)
  }

  /// Loads one half of an argument on a little-endian machine.
  private static func load(_ argument: Int, isUpper: Bool = false) -> sock_filter {
    load(offset: 16 + 8 * UInt32(argument) + (isUpper ? 4 : 0))
  }

  private static func step(
    _ code: Int32, _ value: UInt32, _ ifSo: UInt8 = 0, _ otherwise: UInt8 = 0
  ) -> sock_filter {
    sock_filter(code: UInt16(code), jt: ifSo, jf: otherwise, k: value)
  }
}
