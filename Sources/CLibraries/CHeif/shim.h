#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <libheif/heif.h>
#include <stdlib.h>
#include <string.h>

/// Limits the sides of pictures; libheif 1.19 and later limit the number of pixels instead.
static inline void sitegen_heif_limit(struct heif_context *context, int side, int pixels) {
  // libheif rejects a grid whose side equals the limit.
  heif_context_set_maximum_image_size_limit(context, side + 1);
#if LIBHEIF_NUMERIC_VERSION >= ((1 << 24) | (19 << 16))
  heif_context_get_security_limits(context)->max_image_size_pixels = (uint64_t)pixels;
#else
  (void)pixels;
#endif
}

/// In newer versions, `heif_chroma_monochrome` is a macro that Swift cannot import.
static const enum heif_chroma sitegen_heif_gray = heif_chroma_monochrome;

struct sitegen_heif_bytes {
  void *start;
  size_t count;
};

static inline struct heif_error sitegen_heif_keep(
    struct heif_context *context, const void *data, size_t count, void *kept) {
  (void)context;
  struct sitegen_heif_bytes *bytes = kept;
  bytes->start = malloc(count);
  if (bytes->start == NULL)
    return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified, "out of memory"};
  memcpy(bytes->start, data, count);
  bytes->count = count;
  return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "success"};
}

/// Writes the whole file to memory that the caller must free.
static inline struct heif_error sitegen_heif_write(struct heif_context *context, void **start, size_t *count) {
  struct heif_writer writer = {1, sitegen_heif_keep};
  struct sitegen_heif_bytes bytes = {NULL, 0};
  struct heif_error error = heif_context_write(context, &writer, &bytes);
  *start = bytes.start;
  *count = bytes.count;
  return error;
}
