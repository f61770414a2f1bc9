#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
#include <features.h>
#include <libheif/heif.h>

/// Refuses pictures with a longer side, before they are decoded.
///
/// Since 1.19 libheif limits pixels instead of sides, and the memory of one picture too.
static inline void sitegen_heif_limit(struct heif_context *context, int side, int pixels) {
  // A grid that reaches the limit is refused, too.
  heif_context_set_maximum_image_size_limit(context, side + 1);
#if LIBHEIF_NUMERIC_VERSION >= ((1 << 24) | (19 << 16))
  heif_context_get_security_limits(context)->max_image_size_pixels = (uint64_t)pixels;
#else
  (void)pixels;
#endif
}
