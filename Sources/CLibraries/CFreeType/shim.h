#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_BBOX_H
#include FT_MODULE_H
#include FT_OUTLINE_H
#include FT_SYSTEM_H
#include <stdlib.h>

/// An allocator for `FT_New_Library`. Unlike `FT_Init_FreeType`, that function ignores the
/// FREETYPE_PROPERTIES environment variable.
static inline void *sitegen_ft_allocate(FT_Memory memory, long size) {
  (void)memory;
  return malloc((size_t)size);
}
static inline void sitegen_ft_free(FT_Memory memory, void *block) {
  (void)memory;
  free(block);
}
static inline void *sitegen_ft_reallocate(FT_Memory memory, long current, long size, void *block) {
  (void)memory;
  (void)current;
  return realloc(block, (size_t)size);
}
static inline FT_Library sitegen_ft_library(void) {
  static struct FT_MemoryRec_ memory = {
      .alloc = sitegen_ft_allocate, .free = sitegen_ft_free, .realloc = sitegen_ft_reallocate};
  FT_Library library;
  if (FT_New_Library(&memory, &library) != 0)
    return 0;
  FT_Add_Default_Modules(library);
  return library;
}

static inline int sitegen_ft_is_sfnt(FT_Face face) { return FT_IS_SFNT(face) != 0; }
static inline int sitegen_ft_is_scalable(FT_Face face) { return FT_IS_SCALABLE(face) != 0; }
static inline int sitegen_ft_has_color(FT_Face face) { return FT_HAS_COLOR(face) != 0; }
static inline FT_Int32 sitegen_ft_unscaled(void) { return FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP; }
static inline FT_Int32 sitegen_ft_colored(void) { return FT_LOAD_COLOR; }
static inline int sitegen_ft_holds_outline(FT_GlyphSlot slot) {
  return slot->format == FT_GLYPH_FORMAT_OUTLINE;
}
static inline int sitegen_ft_holds_colors(FT_GlyphSlot slot) {
  return slot->format == FT_GLYPH_FORMAT_BITMAP && slot->bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
}
/// Returns a bitmap with 8 bits of coverage for each pixel, top row first.
static inline FT_Bitmap sitegen_ft_coverage(unsigned char *bytes, int width, int height) {
  FT_Bitmap bitmap = {0};
  bitmap.buffer = bytes;
  bitmap.width = (unsigned int)width;
  bitmap.rows = (unsigned int)height;
  bitmap.pitch = width;
  bitmap.num_grays = 256;
  bitmap.pixel_mode = FT_PIXEL_MODE_GRAY;
  return bitmap;
}
