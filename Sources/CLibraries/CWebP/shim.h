#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
#include <features.h>
#include <webp/decode.h>
#include <webp/encode.h>
