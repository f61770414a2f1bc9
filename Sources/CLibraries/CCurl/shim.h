#pragma once
// As in CMagickWand: settles the shape of libc's types before another header does.
#include <features.h>
#include <curl/curl.h>

// These are variadic, which Swift cannot call.
static inline CURLcode sitegen_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode sitegen_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode sitegen_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
