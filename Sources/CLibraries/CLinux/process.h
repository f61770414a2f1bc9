#pragma once
// What Workers needs and Swift's Glibc module hides behind _GNU_SOURCE. Neither <spawn.h> nor
// anything else that includes <sys/types.h> may come in here: with _GNU_SOURCE that gives `fd_set`
// another shape than it has in Dispatch. So the functions are declared under names of our own.
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>

extern int linux_pipe2(int ends[2], int flags) __asm__("pipe2");

/// `actions` is a `posix_spawn_file_actions_t`.
extern int linux_spawn_close_from(void *actions, int from)
    __asm__("posix_spawn_file_actions_addclosefrom_np");
extern int linux_spawn_change_folder(void *actions, const char *path)
    __asm__("posix_spawn_file_actions_addchdir_np");

/// Parameters of `mallopt`, as far as we set them.
enum { LINUX_M_TRIM_THRESHOLD = -1, LINUX_M_MMAP_THRESHOLD = -3, LINUX_M_ARENA_MAX = -8 };
extern int linux_mallopt(int parameter, int value) __asm__("mallopt");
extern int linux_malloc_trim(size_t pad) __asm__("malloc_trim");

/// `F_SETPIPE_SZ` is hidden, and `fcntl` variadic.
static inline int linux_set_pipe_size(int pipe, int bytes) { return fcntl(pipe, 1031, bytes); }

/// `SIG_IGN` and `SIG_DFL` are casts, which Swift cannot read.
static inline void linux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/// A parent that ignores SIGCHLD gets no exit status: the kernel then reaps its children itself.
static inline void linux_keep_exit_statuses(void) {
  struct sigaction current;
  if (sigaction(SIGCHLD, NULL, &current) == 0 && current.sa_handler == SIG_IGN)
    signal(SIGCHLD, SIG_DFL);
}
