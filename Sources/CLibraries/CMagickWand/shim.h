#pragma once
// ImageMagick's config header defines _GNU_SOURCE, which would give libc types (fd_set) another
// layout here than in Dispatch. Including <features.h> first prevents this.
#include <features.h>

// SwiftPM drops the -D flags of MagickWand.pc, so this header defines them.
// Debian builds both versions with them.
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
  // In the sandbox, dprintf fails.
  ssize_t written = write(2, text, sizeof text - 1);
  (void)written;
  _exit(1);
}

/// Ends the process at a fatal error, which means that there was no memory.
///
/// ImageMagick's own handler frees everything first, and may wait forever for a lock that its caller holds.
static inline void sitegen_exit_at_fatal_errors(void) { (void)SetFatalErrorHandler(sitegen_fatal); }

/// The worst that a decoder said which did not fail, or NULL; `MagickRelinquishMemory` takes it back.
///
/// ImageMagick 6 keeps it in the image, where no function of the wand reads it, 7 in the wand. Both
/// count the picture as read even when half of a JPEG is missing, and 6 also when nothing was decoded.
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

/// Raises the colours to 1 / `exponent`; version 7 would bend alpha too.
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
