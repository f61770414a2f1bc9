#pragma once
// System calls that drop privileges. This file uses only kernel headers and numbers (see shim.h).
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

/// Makes a system call with six arguments, because Swift cannot call the variadic `syscall`.
static inline long linux_call(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}

/// Returns the architecture that a filter must check, or 0 if it is not supported. This is a
/// function, because Swift would evaluate a constant at compile time.
static inline unsigned int linux_audit_architecture(void) {
#if defined(__x86_64__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#else
  return 0;
#endif
}

/// Installs a filter for all threads of this process. Returns 0 on success.
static inline int linux_seccomp(const struct sock_filter *instructions, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/// Sets a resource limit for another process. On failure, returns -1 and sets `errno`.
extern int linux_prlimit(int process, int resource, const void *new_limit, void *old_limit)
    __asm__("prlimit");

/// Drops all of this thread's capabilities. Returns 0 only if none are left.
static inline int linux_drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
  // Drop the bounding set first: this needs CAP_SETPCAP, which `capset` drops below.
  for (long each = 0; syscall(__NR_prctl, PR_CAPBSET_DROP, each, 0L, 0L, 0L) == 0;) each++;
  syscall(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0L, 0L, 0L);
  syscall(__NR_capset, &header, sets);
  if (syscall(__NR_capget, &header, sets)) return -1;
  for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++)
    if (sets[half].effective | sets[half].permitted | sets[half].inheritable) return -1;
  return 0;
}
