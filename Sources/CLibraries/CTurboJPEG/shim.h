#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <stddef.h>
#include <turbojpeg.h>

/// glibc declares `memmem` only if _GNU_SOURCE is defined.
extern void *memmem(const void *, size_t, const void *, size_t);

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

/// The usable part of a JPEG: the number of rows that have any data, the number that have data from
/// every scan in the file, and whether the file contains all scans.
typedef struct { int rows, refined, complete; } sitegen_jpeg_extent;

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf failed;
  sitegen_jpeg_extent extent;
} sitegen_jpeg_errors;

static inline void sitegen_jpeg_fail(j_common_ptr common) {
  longjmp(((sitegen_jpeg_errors *)common->err)->failed, 1);
}

static inline void sitegen_jpeg_warn(j_common_ptr common, int level) {
  sitegen_jpeg_errors *errors = (sitegen_jpeg_errors *)common->err;
  j_decompress_ptr jpeg = (j_decompress_ptr)common;
  // Only this warning means that a scan's data ended early.
  if (level >= 0 || errors->base.msg_code != JWRN_HIT_MARKER) return;
  int rows = (int)jpeg->input_iMCU_row * jpeg->max_v_samp_factor * DCTSIZE;
  int adds = !jpeg->progressive_mode || (jpeg->Ss == 0 && jpeg->Ah == 0);
  if (adds && rows < errors->extent.rows) errors->extent.rows = rows;
  if (rows < errors->extent.refined) errors->extent.refined = rows;
}

/// Reads a whole file, keeping its coefficients in memory. Returns 0 if libjpeg rejects the file.
static inline int sitegen_jpeg_measure(
    const unsigned char *file, unsigned long count, sitegen_jpeg_extent *extent) {
  struct jpeg_decompress_struct jpeg;
  sitegen_jpeg_errors errors;
  // If creation runs out of memory, `jpeg_destroy_decompress` needs zeroed fields.
  memset(&jpeg, 0, sizeof jpeg);
  jpeg.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = sitegen_jpeg_fail;
  errors.base.emit_message = sitegen_jpeg_warn;
  if (setjmp(errors.failed)) {
    jpeg_destroy_decompress(&jpeg);
    return 0;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, file, count);
  (void)jpeg_read_header(&jpeg, TRUE);
  errors.extent.rows = errors.extent.refined = (int)jpeg.image_height;
  jpeg.buffered_image = TRUE;
  (void)jpeg_start_decompress(&jpeg);
  while (jpeg_consume_input(&jpeg) != JPEG_REACHED_EOI) continue;
  errors.extent.complete = 1;
  for (int i = 0; jpeg.progressive_mode && i < jpeg.num_components; i++)
    for (int k = 0; k < DCTSIZE2; k++)
      if (jpeg.coef_bits[i][k] != 0) errors.extent.complete = 0;
  *extent = errors.extent;
  jpeg_destroy_decompress(&jpeg);
  return 1;
}
