#pragma once
// The libzip and expat functions that read an Excel workbook. They are loaded only for workbooks,
// so that other lists do not need these libraries.
#include <dlfcn.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#define WORKBOOK_FUNCTIONS(each) \
  each(zip, zip_source_buffer_create) \
  each(zip, zip_source_free) \
  each(zip, zip_open_from_source) \
  each(zip, zip_discard) \
  each(zip, zip_stat) \
  each(zip, zip_fopen_index) \
  each(zip, zip_fread) \
  each(zip, zip_fclose) \
  each(expat, XML_ParserCreate_MM) \
  each(expat, XML_ParserFree) \
  each(expat, XML_SetUserData) \
  each(expat, XML_SetElementHandler) \
  each(expat, XML_SetCharacterDataHandler) \
  each(expat, XML_SetStartDoctypeDeclHandler) \
  each(expat, XML_StopParser) \
  each(expat, XML_Parse)
#define WORKBOOK_FIELD(library, name) __typeof__(name) *name;
#define WORKBOOK_LOAD(library, name) \
  if (!(functions->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();

typedef struct { WORKBOOK_FUNCTIONS(WORKBOOK_FIELD) } workbook_functions;

/// Loads the libraries; returns null on success and an error message on failure.
static inline const char *workbook_load(workbook_functions *functions) {
  // libzip 1.9 changed its soname version from 4 to 5, but not these functions.
  void *zip = dlopen("libzip.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!zip) zip = dlopen("libzip.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!zip) return dlerror();
  void *expat = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!expat) return dlerror();
  WORKBOOK_FUNCTIONS(WORKBOOK_LOAD)
  return NULL;
}

/// Opens a copy of an archive; returns null if the bytes are not an archive.
static inline zip_t *workbook_open(const workbook_functions *functions, const void *bytes, size_t count) {
  void *copy = malloc(count);
  if (!copy) return NULL;
  zip_source_t *source = functions->zip_source_buffer_create(memcpy(copy, bytes, count), count, 1, NULL);
  if (!source) return free(copy), NULL;
  zip_t *archive = functions->zip_open_from_source(source, ZIP_RDONLY, NULL);
  if (!archive) functions->zip_source_free(source);
  return archive;
}

/// Opens a file in an archive; returns null if it is missing, or neither stored nor deflated.
static inline zip_file_t *workbook_open_file(
    const workbook_functions *functions, zip_t *archive, const char *name) {
  zip_stat_t found;
  if (functions->zip_stat(archive, name, ZIP_FL_NOCASE, &found)) return NULL;
  if (found.comp_method != ZIP_CM_STORE && found.comp_method != ZIP_CM_DEFLATE) return NULL;
  return functions->zip_fopen_index(archive, found.index, 0);
}

// Limit expat's memory, because expat keeps all names, open elements and unfinished tags.
static inline size_t *workbook_allocated(void) {
  static _Thread_local size_t count;
  return &count;
}
static inline void *workbook_resize(void *block, size_t count) {
  size_t sum = *workbook_allocated() += count;
  return count <= sum && sum <= 8 << 20 ? realloc(block, count) : NULL;
}
static inline void *workbook_allocate(size_t count) { return workbook_resize(NULL, count); }
static inline XML_Parser workbook_parser(const workbook_functions *functions) {
  const XML_Memory_Handling_Suite memory = {workbook_allocate, workbook_resize, free};
  *workbook_allocated() = 0;
  return functions->XML_ParserCreate_MM(NULL, &memory, NULL);
}
