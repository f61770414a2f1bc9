#pragma once
// What Workers needs and Swift's Glibc module hides. No libc header may come in here (see shim.h),
// so the functions are declared under names of our own.
typedef void (*linux_handler)(int);
extern linux_handler linux_signal(int number, linux_handler handler) __asm__("signal");
extern int linux_fcntl(int descriptor, int command, ...) __asm__("fcntl");
extern int linux_pipe2(int ends[2], int flags) __asm__("pipe2");

/// `actions` is a `posix_spawn_file_actions_t`.
extern int linux_spawn_close_from(void *actions, int from)
    __asm__("posix_spawn_file_actions_addclosefrom_np");
extern int linux_spawn_change_folder(void *actions, const char *path)
    __asm__("posix_spawn_file_actions_addchdir_np");

/// Parameters of `mallopt`, as far as we set them.
enum { LINUX_M_TRIM_THRESHOLD = -1, LINUX_M_MMAP_THRESHOLD = -3, LINUX_M_ARENA_MAX = -8 };
extern int linux_mallopt(int parameter, int value) __asm__("mallopt");
extern int linux_malloc_trim(unsigned long pad) __asm__("malloc_trim");

/// `F_SETPIPE_SZ` is hidden, and `fcntl` variadic.
static inline int linux_set_pipe_size(int pipe, int bytes) {
  return linux_fcntl(pipe, 1031, bytes);
}

/// `SIGPIPE` and `SIG_IGN`, a cast that Swift cannot read.
static inline void linux_ignore_broken_pipes(void) { linux_signal(13, (linux_handler)1); }

/// A parent that ignores `SIGCHLD` gets no exit status: the kernel then reaps its children itself.
static inline void linux_keep_exit_statuses(void) {
  linux_handler before = linux_signal(17, (linux_handler)0);
  if (before != (linux_handler)1) linux_signal(17, before);
}
