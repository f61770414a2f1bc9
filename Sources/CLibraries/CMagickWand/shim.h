#pragma once
// ImageMagick's config header defines _GNU_SOURCE, which gives libc types (fd_set) another
// shape here than in Dispatch. Reading <features.h> first settles it.
#include <features.h>

// SwiftPM drops the -D flags of MagickWand.pc, so they are stated here.
#define MAGICKCORE_QUANTUM_DEPTH 16
#if __has_include(<MagickWand/MagickWand.h>)
// ImageMagick 7: prepared for, and untested until someone has run it.
#define MAGICKCORE_HDRI_ENABLE 1
#include <MagickWand/MagickWand.h>
#else
#define MAGICKCORE_HDRI_ENABLE 0
#include <wand/MagickWand.h>
#endif
