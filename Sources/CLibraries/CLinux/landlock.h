#pragma once
// glibc lacks Landlock functions. Older kernel headers lack the newer structures and numbers, so
// they are defined here. The system call numbers are the same on every architecture.

/// Returns the ABI version, or -1 if the kernel does not support Landlock or has disabled it.
static inline int linux_landlock_version(void) { return (int)syscall(444L, (void *)0, 0UL, 1U); }

/// Creates a rule set. Older kernels accept the longer structure of later ABI versions only if the
/// additional bytes are zero.
static inline int linux_landlock_create(unsigned long long files, unsigned long long ports,
                                        unsigned long long scopes) {
  unsigned long long handled[3] = {files, ports, scopes};
  return (int)syscall(444L, handled, sizeof handled, 0U);
}

static inline int linux_landlock_allow_path(int rules, int path, unsigned long long access) {
  struct {
    unsigned long long access;
    int path;
  } __attribute__((packed)) rule = {access, path};
  return (int)syscall(445L, rules, 1, &rule, 0U);
}

static inline int linux_landlock_allow_port(int rules, unsigned long long port,
                                            unsigned long long access) {
  unsigned long long rule[2] = {access, port};
  return (int)syscall(445L, rules, 2, rule, 0U);
}

static inline int linux_landlock_restrict(int rules) { return (int)syscall(446L, rules, 0U); }

/// Prevents programs started by this thread from gaining privileges.
static inline int linux_forbid_new_privileges(void) {
  return (int)syscall(__NR_prctl, 38, 1UL, 0UL, 0UL, 0UL);
}
