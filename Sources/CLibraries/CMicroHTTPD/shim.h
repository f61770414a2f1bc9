#pragma once
// <features.h> must come first: it determines the layout of libc's types (see CMagickWand).
#include <features.h>
#include <microhttpd.h>

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
    int socket, unsigned int connections, size_t memory, unsigned int seconds,
    MHD_AcceptPolicyCallback accept, MHD_AccessHandlerCallback handle,
    MHD_NotifyConnectionCallback notify, MHD_RequestCompletedCallback complete, void *context) {
  return MHD_start_daemon(
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
static inline int sitegen_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
