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

/// What a decoder complained about without failing, or NULL.
///
/// ImageMagick 6 keeps such warnings in the image, where no function of the wand looks, and counts
/// the picture as read even when half of a JPEG is missing. The text belongs to the image.
static inline const char *sitegen_decoder_warning(MagickWand *wand) {
#if __has_include(<MagickWand/MagickWand.h>)
  (void)wand;
  return 0;
#else
  const Image *image = GetImageFromMagickWand(wand);
  if (image == 0 || image->exception.severity == UndefinedException)
    return 0;
  return image->exception.reason;
#endif
}
