#pragma once
// Several names below (O_PATH, syncfs, copy_file_range) exist only for those who ask.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "process.h"

/// `openat2` has no function in glibc, and `syscall` is variadic, which Swift cannot call.
static inline int linux_openat2(int folder, const char *path, unsigned long long flags,
                                unsigned long long mode, unsigned long long resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/// `ioctl` is variadic, and `FICLONE` is a macro that Swift cannot read.
static inline int linux_clone(int target, int source) {
  return ioctl(target, FICLONE, source);
}

/// `ioctl` is variadic. Gives 0 when the descriptor is no terminal.
static inline int linux_terminal_width(int descriptor) {
  struct winsize size = {0};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// `CPU_COUNT` is a macro that Swift cannot read. Gives -1 on a machine of over 1024 cores.
static inline int linux_allowed_cores(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

/// `statfs` names a function and a type, of which Swift shows neither. Gives -1 on failure.
static inline long linux_file_system(int descriptor) {
  struct statfs system;
  return fstatfs(descriptor, &system) == 0 ? (long)system.f_type : -1;
}
