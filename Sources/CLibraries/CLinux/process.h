#pragma once
// What Workers needs and Swift's Glibc module hides behind _GNU_SOURCE. The functions are
// declared as glibc declares them; the constants are macros or enums there.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>

extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions,
                                                const char *path);
extern int mallopt(int parameter, int value);
extern int malloc_trim(size_t pad);

// <malloc.h>
enum {
  LINUX_M_TRIM_THRESHOLD = -1,
  LINUX_M_MMAP_THRESHOLD = -3,
  LINUX_M_ARENA_MAX = -8,
};

// F_SETPIPE_SZ, variadic as all of fcntl.
static inline int linux_set_pipe_size(int pipe, int bytes) { return fcntl(pipe, 1031, bytes); }

// `SIG_IGN` and `SIG_DFL` are casts, which do not reach Swift.
static inline void linux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

// A parent that ignores SIGCHLD gets no exit status: the kernel reaps its children by itself.
static inline void linux_keep_exit_statuses(void) {
  struct sigaction current;
  if (sigaction(SIGCHLD, NULL, &current) == 0 && current.sa_handler == SIG_IGN)
    signal(SIGCHLD, SIG_DFL);
}
