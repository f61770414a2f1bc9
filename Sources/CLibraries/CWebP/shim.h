#pragma once
// Must be first, because it fixes the layout of libc's types (see CMagickWand).
#include <features.h>
#include <webp/decode.h>
#include <webp/encode.h>
