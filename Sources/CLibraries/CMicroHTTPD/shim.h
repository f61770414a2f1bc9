#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
#include <features.h>
#include <microhttpd.h>

/// `MHD_start_daemon` is variadic, which Swift cannot call. Returns NULL on failure.
///
/// Paths stay encoded: the server decodes them itself, with its own checks.
static inline size_t sitegen_mhd_unescape_nothing(void *context, struct MHD_Connection *connection,
                                                  char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}
static inline struct MHD_Daemon *sitegen_mhd_start(
    int socket, unsigned int threads, unsigned int connections, size_t memory, unsigned int seconds,
    MHD_AcceptPolicyCallback accept, MHD_AccessHandlerCallback handle,
    MHD_NotifyConnectionCallback notify, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback complete, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, accept, context,
      handle, context,                                                //
      MHD_OPTION_LISTEN_SOCKET, socket,                               //
      MHD_OPTION_THREAD_POOL_SIZE, threads,                           //
      MHD_OPTION_CONNECTION_LIMIT, connections,                       //
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,                     //
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,                         //
      MHD_OPTION_STRICT_FOR_CLIENT, 1,                                //
      MHD_OPTION_UNESCAPE_CALLBACK, sitegen_mhd_unescape_nothing, (void *)0,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,                  //
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,                    //
      MHD_OPTION_NOTIFY_COMPLETED, complete, context,                 //
      MHD_OPTION_END);
}

/// The next three are variadic too.
static inline int sitegen_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
static inline void *sitegen_mhd_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : (void *)0;
}
static inline void sitegen_mhd_let_stay(struct MHD_Connection *connection) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}
