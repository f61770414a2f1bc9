#pragma once
// libc functions that are not visible in Swift's Glibc module. They have different names here,
// because libc headers cannot be included (see shim.h).

extern int linux_pipe2(int ends[2], int flags) __asm__("pipe2");

/// `actions` points to a `posix_spawn_file_actions_t`.
extern int linux_spawn_close_from(void *actions, int from)
    __asm__("posix_spawn_file_actions_addclosefrom_np");
extern int linux_spawn_change_folder(void *actions, const char *path)
    __asm__("posix_spawn_file_actions_addchdir_np");

/// `time` points to a `tm`.
extern const char *linux_strptime(const char *text, const char *form, void *time) __asm__("strptime");

enum { LINUX_SPAWN_SETSID = 0x80 };

enum { LINUX_M_TRIM_THRESHOLD = -1, LINUX_M_MMAP_THRESHOLD = -3, LINUX_M_ARENA_MAX = -8 };
extern int linux_mallopt(int parameter, int value) __asm__("mallopt");
