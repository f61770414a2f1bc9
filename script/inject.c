// Runs a program and disturbs its nth call among the given system calls, in any thread or process.
//
//   inject REPORT FAULT N CALL,CALL... PROGRAM [WORD...]
//
// FAULT: `kill`, `short` (half the bytes of a read or write), or an error number. N+ disturbs
// every call from the nth on. With N@FILE, calls are counted only after FILE exists. Calls by the
// loader, and calls on event counters, terminals and standard streams are ignored. So are
// calls on /proc/PID/stat: Dispatch reads this file at unpredictable times, and aborts if it cannot.
//
// REPORT lists the calls seen and disturbed, the first disturbed call with its path, and how the program ended.
// Works on x86_64 only.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// The kind and number of the argument that is a descriptor (`d`) or path (`p`); `-` if neither.
static const struct {
  const char *name;
  int number;
  char kind, argument;
} calls[] = {
    {"openat", SYS_openat, 'p', 1},       {"openat2", SYS_openat2, 'p', 1},
    {"write", SYS_write, 'd', 0},         {"pwrite64", SYS_pwrite64, 'd', 0},
    {"read", SYS_read, 'd', 0},           {"pread64", SYS_pread64, 'd', 0},
    {"rename", SYS_rename, 'p', 0},       {"renameat", SYS_renameat, 'p', 3},
    {"renameat2", SYS_renameat2, 'p', 3}, {"fsync", SYS_fsync, 'd', 0},
    {"fdatasync", SYS_fdatasync, 'd', 0}, {"syncfs", SYS_syncfs, 'd', 0},
    {"unlink", SYS_unlink, 'p', 0},       {"unlinkat", SYS_unlinkat, 'p', 1},
    {"rmdir", SYS_rmdir, 'p', 0},         {"mkdir", SYS_mkdir, 'p', 0},
    {"mkdirat", SYS_mkdirat, 'p', 1},     {"ftruncate", SYS_ftruncate, 'd', 0},
    {"mmap", SYS_mmap, 'm', 4},           {"clone", SYS_clone, '-', 0},
    {"clone3", SYS_clone3, '-', 0},       {"pipe2", SYS_pipe2, '-', 0},
    {"close", SYS_close, 'd', 0},         {"getdents64", SYS_getdents64, 'd', 0},
    {"newfstatat", SYS_newfstatat, 'p', 1}, {"epoll_wait", SYS_epoll_wait, '-', 0},
    {"sendto", SYS_sendto, 'd', 0},       {"recvfrom", SYS_recvfrom, 'd', 0},
    {"socket", SYS_socket, '-', 0},       {"connect", SYS_connect, 'd', 0},
    {"statx", SYS_statx, 'p', 1},         {"fstat", SYS_fstat, 'd', 0},
    {"linkat", SYS_linkat, 'p', 3},
};
enum { known = sizeof calls / sizeof *calls };

static void stop(const char *what) {
  perror(what);
  exit(125);
}

// Returns the call's subject, such as a path; empty if the call is ignored.
static void target(pid_t pid, int call, const unsigned long *arguments, char *path, size_t size) {
  *path = 0;
  unsigned long value = arguments[(int)calls[call].argument];
  char link[64];
  switch (calls[call].kind) {
  case 'p': {
    struct iovec here = {path, size - 1}, there = {(void *)value, size - 1};
    ssize_t count = process_vm_readv(pid, &here, 1, &there, 1, 0);
    // The text may be at the end of a page.
    if (count < 0) {
      here.iov_len = there.iov_len = 4096 - value % 4096;
      count = process_vm_readv(pid, &here, 1, &there, 1, 0);
    }
    path[count < 0 ? 0 : count] = 0;
    int isDispatch = sscanf(path, "/proc/%*d/sta%c", link) == 1;
    if (strstr(path, ".so") || isDispatch) *path = 0;
    return;
  }
  case 'm':
    // Only the loader maps files.
    if ((int)value == -1) strcpy(path, "memory");
    return;
  case 'd':
    if ((int)value <= 2) return;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, (int)value);
    ssize_t count = readlink(link, path, size - 1);
    path[count < 0 ? 0 : count] = 0;
    if (!strncmp(path, "anon_inode:", 11) || strstr(path, ".so") ||
        (!strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9)))
      *path = 0;
    return;
  default:
    strcpy(path, "process");
  }
}

int main(int argc, char **argv) {
  if (argc < 6) {
    fprintf(stderr, "usage: inject REPORT FAULT N CALL,CALL... PROGRAM [WORD...]\n");
    return 125;
  }
  const char *fault = argv[2], *after = strchr(argv[3], '@');
  long wanted = atol(argv[3]);
  int lasting = strchr(argv[3], '+') != NULL;
  struct sock_filter filter[2 * known + 4];
  int length = 0, chosen[known], count = 0;
  for (char *name = strtok(argv[4], ","); name; name = strtok(NULL, ","))
    for (int call = 0; call < known; call++)
      if (!strcmp(name, calls[call].name)) chosen[count++] = call;
  if (!count) return fprintf(stderr, "inject: unknown system call\n"), 125;
  filter[length++] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int index = 0; index < count; index++) {
    filter[length++] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, calls[chosen[index]].number, 0, 1);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

  int gate[2];
  if (pipe2(gate, O_CLOEXEC)) stop("pipe2");
  pid_t program = fork();
  if (program < 0) stop("fork");
  if (!program) {
    struct sock_fprog all = {length, filter};
    char byte;
    if (read(gate[0], &byte, 1) != 1) _exit(125);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
      stop("seccomp");
    execvp(argv[5], argv + 5);
    stop(argv[5]);
  }
  // Forward signals, so that the caller does not need the program's process id.
  signal(SIGINT, SIG_IGN);
  if (ptrace(PTRACE_SEIZE, program, 0,
             PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC))
    stop("ptrace");
  if (write(gate[1], "", 1) != 1) stop("write");

  long seen = 0, disturbed = 0;
  int status, ending = 0;
  char first[8192] = "";
  for (;;) {
    pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0) break;
    if (!WIFSTOPPED(status)) {
      if (pid == program) ending = status;
      continue;
    }
    int event = status >> 16, signal = 0;
    if (!event) signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP) {
      ptrace(PTRACE_LISTEN, pid, 0, 0);
      continue;
    }
    if (event == PTRACE_EVENT_SECCOMP) {
      struct user_regs_struct registers;
      char path[4096];
      int call = 0;
      if (!ptrace(PTRACE_GETREGS, pid, 0, &registers)) {
        const unsigned long arguments[] = {
            registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8};
        while (call < known - 1 && calls[call].number != (int)registers.orig_rax) call++;
        target(pid, call, arguments, path, sizeof path);
        if (*path && !(after && access(after + 1, F_OK))) {
          seen++;
          if (seen == wanted || (lasting && seen > wanted)) {
            disturbed++;
            if (!*first)
              snprintf(first, sizeof first, "%s %s%s", calls[call].name, path,
                       pid == program ? "" : " (not the first thread)");
            if (!strcmp(fault, "kill")) {
              char name[64], line[256];
              snprintf(name, sizeof name, "/proc/%d/status", pid);
              FILE *file = fopen(name, "r");
              int group = pid;
              while (file && fgets(line, sizeof line, file)) sscanf(line, "Tgid: %d", &group);
              if (file) fclose(file);
              if (group != program) strcat(first, " (child)");
              kill(group, SIGKILL);
            } else {
              if (!strcmp(fault, "short")) {
                registers.rdx = registers.rdx > 1 ? registers.rdx / 2 : registers.rdx;
              } else {
                registers.orig_rax = -1;
                registers.rax = -atol(fault);
              }
              ptrace(PTRACE_SETREGS, pid, 0, &registers);
            }
          }
        }
      }
    }
    ptrace(PTRACE_CONT, pid, 0, signal);
  }
  FILE *report = fopen(argv[1], "w");
  if (!report) stop(argv[1]);
  fprintf(report, "%ld\n%ld\n%s\n%d\n", seen, disturbed, first,
          WIFSIGNALED(ending) ? -WTERMSIG(ending) : WEXITSTATUS(ending));
  fclose(report);
  return 0;
}
