#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <hb-ot.h>
#include <hb.h>

/// Shapes text with OpenType only, because the environment can select other shapers for `hb_shape`.
/// `keeps_apart` disables ligatures.
static inline int sitegen_shape(hb_font_t *font, hb_buffer_t *buffer, int keeps_apart) {
  static const hb_feature_t apart[] = {
      {HB_TAG('l', 'i', 'g', 'a'), 0, 0, (unsigned int)-1},
      {HB_TAG('c', 'l', 'i', 'g'), 0, 0, (unsigned int)-1},
  };
  static const char *const shapers[] = {"ot", 0};
  return hb_shape_full(font, buffer, apart, keeps_apart ? 2 : 0, shapers);
}

static inline int sitegen_runs_leftwards(hb_codepoint_t letter) {
  hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), letter);
  return hb_script_get_horizontal_direction(script) == HB_DIRECTION_RTL;
}
