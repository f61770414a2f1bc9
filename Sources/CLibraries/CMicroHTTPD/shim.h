#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <dlfcn.h>
#include <microhttpd.h>

/// The libmicrohttpd functions that sitegen calls. They are loaded only for a server, because
/// libmicrohttpd loads GnuTLS and eight other libraries, which would slow down every command.
typedef struct {
  __typeof__(&MHD_start_daemon) start_daemon;
  __typeof__(&MHD_stop_daemon) stop_daemon;
  __typeof__(&MHD_get_connection_info) get_connection_info;
  __typeof__(&MHD_get_connection_values_n) get_connection_values_n;
  __typeof__(&MHD_create_response_from_buffer) create_response_from_buffer;
  __typeof__(&MHD_create_response_from_fd64) create_response_from_fd64;
  __typeof__(&MHD_create_response_from_callback) create_response_from_callback;
  __typeof__(&MHD_add_response_header) add_response_header;
  __typeof__(&MHD_queue_response) queue_response;
  __typeof__(&MHD_destroy_response) destroy_response;
} mhd_functions;

/// Loads the library; on failure, all functions are null.
static inline mhd_functions mhd_load(void) {
  mhd_functions mhd = {0}, none = {0};
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!library) return none;
  struct { void **function; const char *name; } wanted[] = {
    {(void **)&mhd.start_daemon, "MHD_start_daemon"},
    {(void **)&mhd.stop_daemon, "MHD_stop_daemon"},
    {(void **)&mhd.get_connection_info, "MHD_get_connection_info"},
    {(void **)&mhd.get_connection_values_n, "MHD_get_connection_values_n"},
    {(void **)&mhd.create_response_from_buffer, "MHD_create_response_from_buffer"},
    {(void **)&mhd.create_response_from_fd64, "MHD_create_response_from_fd64"},
    {(void **)&mhd.create_response_from_callback, "MHD_create_response_from_callback"},
    {(void **)&mhd.add_response_header, "MHD_add_response_header"},
    {(void **)&mhd.queue_response, "MHD_queue_response"},
    {(void **)&mhd.destroy_response, "MHD_destroy_response"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].function = dlsym(library, wanted[i].name);
    if (!*wanted[i].function) return none;
  }
  return mhd;
}

/// Leaves paths encoded, because the server decodes and checks them itself.
static inline size_t sitegen_mhd_unescape_nothing(void *context, struct MHD_Connection *connection,
                                                  char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

/// Starts a daemon, because Swift cannot call the variadic `MHD_start_daemon`.
static inline struct MHD_Daemon *sitegen_mhd_start(
    mhd_functions mhd, int socket, unsigned int connections, size_t memory, unsigned int seconds,
    MHD_AcceptPolicyCallback accept, MHD_AccessHandlerCallback handle,
    MHD_NotifyConnectionCallback notify, MHD_RequestCompletedCallback complete, void *context) {
  return mhd.start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0,  //
      accept, context, handle, context,                                                 //
      MHD_OPTION_LISTEN_SOCKET, socket,                                                 //
      MHD_OPTION_CONNECTION_LIMIT, connections,                                         //
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,                                       //
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,                                           //
      MHD_OPTION_STRICT_FOR_CLIENT, 1,                                                  //
      MHD_OPTION_UNESCAPE_CALLBACK, sitegen_mhd_unescape_nothing, (void *)0,            //
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,                                    //
      MHD_OPTION_NOTIFY_COMPLETED, complete, context,                                   //
      MHD_OPTION_END);
}

/// Returns the socket of a connection, or -1 if it is unknown.
static inline int sitegen_mhd_socket(mhd_functions mhd, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
