#pragma once
// Include only kernel headers: libc headers would make this module define types such as `stat`, and
// every Swift file that uses such a type would have to import the module.
#include <asm/ioctls.h>
#include <asm/statfs.h>
#include <asm/unistd.h>
#include <linux/openat2.h>

extern long syscall(long number, ...);
extern int ioctl(int descriptor, unsigned long request, ...);

/// The value of `O_PATH`, which is the same on all architectures that Swift supports.
static const int linux_O_PATH = 010000000;

#include "landlock.h"
#include "process.h"
#include "sandbox.h"

/// glibc lacks `openat2`, and Swift cannot call the variadic `syscall`.
static inline int linux_openat2(int folder, const char *path, unsigned long long flags,
                                unsigned long long mode, unsigned long long resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(__NR_openat2, folder, path, &how, sizeof how);
}

static inline int linux_syncfs(int descriptor) {
  return (int)syscall(__NR_syncfs, descriptor);
}

/// Gives up the right to raise priorities, for this thread and all threads that it starts.
static inline void linux_forbid_raising_priority(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  if (syscall(__NR_capget, &header, rights))
    return;
  rights[0].effective &= ~(1u << CAP_SYS_NICE);
  rights[0].permitted &= ~(1u << CAP_SYS_NICE);
  syscall(__NR_capset, &header, rights);
}

/// Writes the names of a file's extended attributes, followed by their values. Returns the byte
/// count, or -1 on failure or if the buffer is too small.
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

/// Returns the type of a file system, or -1 on failure; Swift cannot import `statfs`.
static inline long linux_file_system(int descriptor) {
  struct statfs system;
  return syscall(__NR_fstatfs, descriptor, &system) == 0 ? (long)system.f_type : -1;
}

/// Returns the number of columns, or 0 if the descriptor is not a terminal.
static inline int linux_terminal_width(int descriptor) {
  unsigned short size[4] = {0};  // rows, columns, and both in pixels
  return ioctl(descriptor, TIOCGWINSZ, size) == 0 ? size[1] : 0;
}

/// Returns the number of cores that the process may use; `cpu_set_t` is limited to 1024 cores.
static inline int linux_allowed_cores(void) {
  unsigned char set[8192] = {0};
  long size = syscall(__NR_sched_getaffinity, 0, sizeof set, set);
  int cores = 0;
  for (long index = 0; index < size; index++) cores += __builtin_popcount(set[index]);
  return cores;
}
