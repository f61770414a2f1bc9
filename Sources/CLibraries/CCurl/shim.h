#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
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
static inline CURLcode sitegen_curl_set_lines(CURL *handle, struct curl_slist *lines) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines);
}
/// Sets the callbacks for each line of a head, each piece of a body, and each socket.
static inline void sitegen_curl_set_calls(CURL *handle, curl_write_callback head,
                                          curl_write_callback body,
                                          curl_opensocket_callback socket, void *object) {
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, object);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, object);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, socket);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, object);
}
/// A body that is not copied.
static inline CURLcode sitegen_curl_set_body(CURL *handle, const void *bytes, long count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code ? code : curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}
/// Returns -1 if unknown.
static inline long sitegen_curl_get_long(CURL *handle, CURLINFO info) {
  long value = -1;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : -1;
}
/// In microseconds; returns -1 if unknown.
static inline long long sitegen_curl_get_time(CURL *handle, CURLINFO info) {
  curl_off_t value = -1;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? (long long)value : -1;
}
static inline CURLMcode sitegen_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
