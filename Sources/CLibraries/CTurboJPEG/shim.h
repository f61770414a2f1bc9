#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
#include <features.h>
#include <stddef.h>
#include <turbojpeg.h>

/// Finds bytes in others; glibc declares it for GNU programs only.
extern void *memmem(const void *, size_t, const void *, size_t);
