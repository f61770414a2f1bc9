#pragma once
// Must be first, because it fixes the layout of libc's types (see CMagickWand).
#include <features.h>
#include <hb-ot.h>
#include <hb.h>

/// Shapes a buffer's text with OpenType only; `keeps_apart` disables ligatures.
///
/// `hb_shape` also uses other shapers, in an order that the environment can change.
static inline int sitegen_shape(hb_font_t *font, hb_buffer_t *buffer, int keeps_apart) {
  static const hb_feature_t apart[] = {
      {HB_TAG('l', 'i', 'g', 'a'), 0, 0, (unsigned int)-1},
      {HB_TAG('c', 'l', 'i', 'g'), 0, 0, (unsigned int)-1},
  };
  static const char *const shapers[] = {"ot", 0};
  return hb_shape_full(font, buffer, apart, keeps_apart ? 2 : 0, shapers);
}

/// Whether a letter belongs to a right-to-left script.
static inline int sitegen_runs_leftwards(hb_codepoint_t letter) {
  hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), letter);
  return hb_script_get_horizontal_direction(script) == HB_DIRECTION_RTL;
}
