#pragma once
// ImageMagick's config header defines _GNU_SOURCE, which would give libc types (fd_set) another
// layout here than in Dispatch. Including <features.h> first prevents this.
#include <features.h>

// SwiftPM drops the -D flags of MagickWand.pc, so this header defines them.
#define MAGICKCORE_QUANTUM_DEPTH 16
#if __has_include(<MagickWand/MagickWand.h>)
// ImageMagick 7: prepared, but never tested.
#define MAGICKCORE_HDRI_ENABLE 1
#include <MagickWand/MagickWand.h>
#else
#define MAGICKCORE_HDRI_ENABLE 0
#include <wand/MagickWand.h>
#endif

/// The warning of a decoder that did not fail, or NULL. The text belongs to the image.
///
/// ImageMagick 6 keeps such warnings in the image, where no function of the wand reads them, and counts
/// the picture as read even when half of a JPEG is missing.
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
