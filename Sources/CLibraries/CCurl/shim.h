#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <curl/curl.h>
#include <dlfcn.h>

/// The libcurl functions that sitegen calls. They are loaded only if a process needs the network,
/// so that a compromised decoder does not find them in its memory.
typedef struct {
  CURLcode (*global_init)(long);
  curl_version_info_data *(*version_info)(CURLversion);
  void (*release)(void *);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned, int, int *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
  CURLU *(*url)(void);
  void (*url_cleanup)(CURLU *);
  CURLUcode (*url_get)(const CURLU *, CURLUPart, char **, unsigned);
  CURLUcode (*url_set)(CURLU *, CURLUPart, const char *, unsigned);
} curl_functions;

/// Loads the library; returns null on success and an error message on failure.
static inline const char *curl_load(curl_functions *curl) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  struct { void **function; const char *name; } wanted[] = {
    {(void **)&curl->global_init, "curl_global_init"},
    {(void **)&curl->version_info, "curl_version_info"},
    {(void **)&curl->release, "curl_free"},
    {(void **)&curl->easy_init, "curl_easy_init"},
    {(void **)&curl->easy_cleanup, "curl_easy_cleanup"},
    {(void **)&curl->easy_setopt, "curl_easy_setopt"},
    {(void **)&curl->easy_getinfo, "curl_easy_getinfo"},
    {(void **)&curl->slist_append, "curl_slist_append"},
    {(void **)&curl->slist_free_all, "curl_slist_free_all"},
    {(void **)&curl->multi_init, "curl_multi_init"},
    {(void **)&curl->multi_setopt, "curl_multi_setopt"},
    {(void **)&curl->multi_add_handle, "curl_multi_add_handle"},
    {(void **)&curl->multi_remove_handle, "curl_multi_remove_handle"},
    {(void **)&curl->multi_perform, "curl_multi_perform"},
    {(void **)&curl->multi_poll, "curl_multi_poll"},
    {(void **)&curl->multi_info_read, "curl_multi_info_read"},
    {(void **)&curl->url, "curl_url"},
    {(void **)&curl->url_cleanup, "curl_url_cleanup"},
    {(void **)&curl->url_get, "curl_url_get"},
    {(void **)&curl->url_set, "curl_url_set"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].function = dlsym(library, wanted[i].name);
    if (!*wanted[i].function) return dlerror();
  }
  return NULL;
}

// Swift cannot call variadic functions.
static inline void curl_set_long(const curl_functions *curl, CURL *handle, CURLoption option, long value) {
  curl->easy_setopt(handle, option, value);
}
static inline void curl_set_text(const curl_functions *curl, CURL *handle, CURLoption option,
                                 const char *value) {
  curl->easy_setopt(handle, option, value);
}
static inline void curl_set_pointer(const curl_functions *curl, CURL *handle, CURLoption option, void *value) {
  curl->easy_setopt(handle, option, value);
}
/// Sets the callbacks for header lines, pieces of a body, and sockets.
static inline void curl_set_calls(const curl_functions *curl, CURL *handle, curl_write_callback head,
                                  curl_write_callback body, curl_opensocket_callback socket, void *object) {
  curl->easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
  curl->easy_setopt(handle, CURLOPT_HEADERDATA, object);
  curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  curl->easy_setopt(handle, CURLOPT_WRITEDATA, object);
  curl->easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, socket);
  curl->easy_setopt(handle, CURLOPT_OPENSOCKETDATA, object);
}
/// Returns -1 if the value is unknown.
static inline long curl_get_long(const curl_functions *curl, CURL *handle, CURLINFO info) {
  long value = -1;
  return curl->easy_getinfo(handle, info, &value) == CURLE_OK ? value : -1;
}
/// Returns a time in microseconds, or -1 if it is unknown.
static inline long long curl_get_time(const curl_functions *curl, CURL *handle, CURLINFO info) {
  curl_off_t value = -1;
  return curl->easy_getinfo(handle, info, &value) == CURLE_OK ? (long long)value : -1;
}
static inline void curl_multi_set_long(const curl_functions *curl, CURLM *multi, CURLMoption option,
                                       long value) {
  curl->multi_setopt(multi, option, value);
}
