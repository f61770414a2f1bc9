#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <webp/decode.h>
#include <webp/encode.h>
