#pragma once
// The librsvg and cairo functions that draw an SVG, loaded when a worker needs them. Linking
// librsvg and its twenty libraries would add 7 ms to the startup of every worker.
#include <dlfcn.h>
#include <stdio.h>

typedef struct { double x, y, width, height; } rsvg_box;
typedef struct { unsigned domain; int code; char *message; } rsvg_error;

typedef struct {
  void *library;
  const unsigned *major, *minor, *micro;
  void *(*open)(const unsigned char *, size_t, rsvg_error **);
  int (*set_stylesheet)(void *, const unsigned char *, size_t, rsvg_error **);
  int (*render)(void *, void *, const rsvg_box *, rsvg_error **);
  void (*release)(void *);
  void (*free_error)(rsvg_error *);
  void *(*surface)(unsigned char *, int, int, int, int);
  void *(*context)(void *);
  void (*scale)(void *, double, double);
  int (*status)(void *);
  int (*surface_status)(void *);
  void (*finish)(void *);
  void (*destroy_context)(void *);
  void (*destroy_surface)(void *);
} rsvg_functions;

/// Loads the library; returns null on success and an error message on failure.
static inline const char *rsvg_load(rsvg_functions *rsvg) {
  rsvg->library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!rsvg->library) return dlerror();
  // `dlsym` also searches the libraries that librsvg depends on.
  struct { void **function; const char *name; } wanted[] = {
    {(void **)&rsvg->major, "rsvg_major_version"},
    {(void **)&rsvg->minor, "rsvg_minor_version"},
    {(void **)&rsvg->micro, "rsvg_micro_version"},
    {(void **)&rsvg->open, "rsvg_handle_new_from_data"},
    {(void **)&rsvg->set_stylesheet, "rsvg_handle_set_stylesheet"},
    {(void **)&rsvg->render, "rsvg_handle_render_document"},
    {(void **)&rsvg->release, "g_object_unref"},
    {(void **)&rsvg->free_error, "g_error_free"},
    {(void **)&rsvg->surface, "cairo_image_surface_create_for_data"},
    {(void **)&rsvg->context, "cairo_create"},
    {(void **)&rsvg->scale, "cairo_scale"},
    {(void **)&rsvg->status, "cairo_status"},
    {(void **)&rsvg->surface_status, "cairo_surface_status"},
    {(void **)&rsvg->finish, "cairo_surface_flush"},
    {(void **)&rsvg->destroy_context, "cairo_destroy"},
    {(void **)&rsvg->destroy_surface, "cairo_surface_destroy"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].function = dlsym(rsvg->library, wanted[i].name);
    if (!*wanted[i].function) return dlerror();
  }
  return NULL;
}

static inline const char *rsvg_failure(int status) {
  const int no_memory = 1;
  return !status ? NULL : status == no_memory ? "out of memory" : "cairo failed";
}

/// Draws an SVG on `width` × `height` empty pixels, which are premultiplied ARGB words. The SVG is
/// laid out at `whole_width` × `whole_height`. Returns null on success and an error message on
/// failure; `why` is a 256-byte buffer for the message.
static inline const char *rsvg_draw(
    const rsvg_functions *rsvg, const unsigned char *file, size_t count, double whole_width,
    double whole_height, unsigned char *pixels, int width, int height, char *why) {
  // Hide text, because its font would depend on the machine.
  static const char style[] = "text { display: none !important }";
  const int argb32 = 0;
  const char *failed = NULL;
  rsvg_error *error = NULL;
  void *drawing = rsvg->open(file, count, &error);
  if (drawing && rsvg->set_stylesheet(drawing, (const void *)style, sizeof style - 1, &error)) {
    void *surface = rsvg->surface(pixels, argb32, width, height, width * 4);
    void *context = rsvg->context(surface);
    rsvg_box box = {0, 0, whole_width, whole_height};
    rsvg->scale(context, width / whole_width, height / whole_height);
    int drawn = rsvg->render(drawing, context, &box, &error);
    if (drawn) failed = rsvg_failure(rsvg->status(context));
    if (!drawn && !error) failed = "nothing was drawn";
    rsvg->destroy_context(context);
    rsvg->finish(surface);
    if (drawn && !failed) failed = rsvg_failure(rsvg->surface_status(surface));
    rsvg->destroy_surface(surface);
  }
  if (error) {
    snprintf(why, 256, "%s", error->message);
    failed = why;
    rsvg->free_error(error);
  } else if (!drawing) {
    failed = "it cannot be opened";
  }
  if (drawing) rsvg->release(drawing);
  return failed;
}
