#pragma once
// ImageMagick's config header defines _GNU_SOURCE, which would give libc types such as fd_set a
// different layout than in Dispatch. Including <features.h> first prevents this.
#include <features.h>

// SwiftPM drops the -D flags from MagickWand.pc, so this header defines the macros, with the values
// that Debian uses for ImageMagick 6 and 7.
#define MAGICKCORE_QUANTUM_DEPTH 16
#define MAGICKCORE_HDRI_ENABLE 0
#if __has_include(<MagickWand/MagickWand.h>)
#include <MagickWand/MagickWand.h>
#else
#include <wand/MagickWand.h>
#endif

#include <unistd.h>

static inline void sitegen_fatal(const ExceptionType severity, const char *reason, const char *description) {
  (void)severity, (void)reason, (void)description;
  static const char text[] = "ImageMagick: out of memory\n";
  // `dprintf` fails in the sandbox.
  ssize_t written = write(2, text, sizeof text - 1);
  (void)written;
  _exit(1);
}

/// Makes the process exit after fatal errors, which mean that memory ran out. ImageMagick's handler
/// would first free everything, and might wait forever for a lock held by its caller.
static inline void sitegen_exit_at_fatal_errors(void) { (void)SetFatalErrorHandler(sitegen_fatal); }

/// Returns the worst warning or error from a decoder that succeeded, or NULL. The caller must free
/// the text with `MagickRelinquishMemory`. ImageMagick 6 stores the text in the image, where wand
/// functions cannot read it; ImageMagick 7 stores it in the wand. Both versions succeed even if
/// half of a JPEG is missing; version 6 succeeds even if nothing was decoded.
static inline char *sitegen_decoder_exception(MagickWand *wand, ExceptionType *severity) {
  *severity = UndefinedException;
#if MagickLibVersion >= 0x700
  char *text = MagickGetException(wand, severity);
  if (*severity == UndefinedException)
    text = (char *)MagickRelinquishMemory(text);
  return text;
#else
  const Image *image = GetImageFromMagickWand(wand);
  if (image == 0 || image->exception.severity == UndefinedException)
    return 0;
  *severity = image->exception.severity;
  return AcquireString(image->exception.reason);
#endif
}

/// Raises the colours, but not alpha, to the power 1 / `exponent`.
static inline MagickBooleanType sitegen_gamma(MagickWand *wand, double exponent) {
#if MagickLibVersion >= 0x700
  ChannelType before = MagickSetImageChannelMask(
      wand, (ChannelType)(RedChannel | GreenChannel | BlueChannel));
  MagickBooleanType done = MagickGammaImage(wand, exponent);
  (void)MagickSetImageChannelMask(wand, before);
  return done;
#else
  return MagickGammaImage(wand, exponent);
#endif
}
