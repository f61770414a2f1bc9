#pragma once
// Include only kernel headers: libc headers would make this module define types such as `stat`, and
// Swift would then require importing it wherever they are used.
#include <asm/ioctls.h>
#include <asm/statfs.h>
#include <asm/unistd.h>
#include <linux/openat2.h>

// Declared as in libc.
extern long syscall(long number, ...);
extern int ioctl(int descriptor, unsigned long request, ...);

/// Not visible in Swift's Glibc. The value is the same on all architectures that Swift supports.
static const int linux_O_PATH = 010000000;

#include "landlock.h"
#include "process.h"
#include "sandbox.h"

/// glibc lacks a function for `openat2`, and Swift cannot call the variadic `syscall`.
static inline int linux_openat2(int folder, const char *path, unsigned long long flags,
                                unsigned long long mode, unsigned long long resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(__NR_openat2, folder, path, &how, sizeof how);
}

/// `syncfs` is not visible in Swift's Glibc.
static inline int linux_syncfs(int descriptor) {
  return (int)syscall(__NR_syncfs, descriptor);
}

/// Gives up the right to raise priorities, including for threads that start later.
static inline void linux_forbid_raising_priority(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  if (syscall(__NR_capget, &header, rights))
    return;
  rights[0].effective &= ~(1u << CAP_SYS_NICE);
  rights[0].permitted &= ~(1u << CAP_SYS_NICE);
  syscall(__NR_capset, &header, rights);
}

/// `sys/xattr.h` is not visible in Swift's Glibc. Writes the names of a file's extended attributes,
/// then their values. Returns the byte count, or -1 on failure or if they do not fit.
static inline long linux_attributes(int file, char *buffer, long size) {
  long names = syscall(__NR_flistxattr, file, buffer, size), used = names;
  for (long at = 0; at < names; at++) {
    long count = syscall(__NR_fgetxattr, file, buffer + at, buffer + used, size - used);
    if (count < 0 || used + count >= size) return -1;
    used += count;
    while (buffer[at]) at++;
  }
  return used;
}

/// `statfs` is both a function and a type, and Swift imports neither. Returns -1 on failure.
static inline long linux_file_system(int descriptor) {
  struct statfs system;
  return syscall(__NR_fstatfs, descriptor, &system) == 0 ? (long)system.f_type : -1;
}

/// Swift cannot call the variadic `ioctl`. Returns 0 if the descriptor is not a terminal.
static inline int linux_terminal_width(int descriptor) {
  unsigned short size[4] = {0};  // rows, columns, and both in pixels
  return ioctl(descriptor, TIOCGWINSZ, size) == 0 ? size[1] : 0;
}

/// Swift cannot import the `CPU_COUNT` macro, and `cpu_set_t` is limited to 1024 cores.
static inline int linux_allowed_cores(void) {
  unsigned char set[8192] = {0};
  long size = syscall(__NR_sched_getaffinity, 0, sizeof set, set);
  int cores = 0;
  for (long index = 0; index < size; index++) cores += __builtin_popcount(set[index]);
  return cores;
}
