// An LD_PRELOAD library that makes the nth memory allocation in a worker's job fail.
//
// SITEGEN_TEST_MEMORY names a file with four 64-bit numbers, which this process maps before it enters its sandbox.
// Two are inputs: the first allocation to fail, and how many fail from there on. If the second is negative, all
// succeed, but set `errno` as malloc does when its second attempt succeeds. Two are outputs: how many allocations the
// last job made, and how many failed. A job starts and ends with a call to `alarm`. Allocations by Swift's runtime are
// ignored, because it aborts if one fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static struct {
  _Atomic long at, count, seen, failed;
} *page;
static unsigned (*real_alarm)(unsigned);
static atomic_bool counts;
static char *runtime, *runtime_end;

static int find(struct dl_phdr_info *info, size_t size, void *unused) {
  if (!strstr(info->dlpi_name, "libswiftCore.so")) return 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    if (!(info->dlpi_phdr[index].p_flags & PF_X)) continue;
    runtime = (char *)info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
    runtime_end = runtime + info->dlpi_phdr[index].p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  dl_iterate_phdr(find, NULL);
  real_alarm = (unsigned (*)(unsigned))dlsym(RTLD_NEXT, "alarm");
  const char *name = getenv("SITEGEN_TEST_MEMORY");
  int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
  void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) _exit(125);
  page = mapped;
  close(file);
}

unsigned alarm(unsigned seconds) {
  if (seconds) page->seen = page->failed = 0;
  counts = seconds != 0;
  return real_alarm(seconds);
}

static int fails(void *caller) {
  if (!counts || ((char *)caller >= runtime && (char *)caller < runtime_end)) return 0;
  long number = ++page->seen;
  if (page->count < 0) errno = ENOMEM;
  if (number < page->at || number >= page->at + page->count) return 0;
  page->failed++;
  errno = ENOMEM;
  return 1;
}

#define FAILS fails(__builtin_return_address(0))

void *malloc(size_t size) { return FAILS ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return FAILS ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return FAILS ? NULL : __libc_realloc(old, size); }
void *memalign(size_t unit, size_t size) { return FAILS ? NULL : __libc_memalign(unit, size); }
void *aligned_alloc(size_t unit, size_t size) { return FAILS ? NULL : __libc_memalign(unit, size); }

int posix_memalign(void **result, size_t unit, size_t size) {
  void *found = FAILS ? NULL : __libc_memalign(unit, size);
  if (found) *result = found;
  return found ? 0 : ENOMEM;
}
