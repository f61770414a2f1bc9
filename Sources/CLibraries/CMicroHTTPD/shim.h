#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
#include <features.h>
#include <microhttpd.h>

/// Paths stay encoded: the server decodes them itself, with its own checks.
static inline size_t sitegen_mhd_unescape_nothing(void *context, struct MHD_Connection *connection,
                                                  char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length] != 0) length++;
  return length;
}

/// `MHD_start_daemon` is variadic, which Swift cannot call. Returns NULL on failure.
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

/// `MHD_get_connection_info` is variadic, too.
static inline int sitegen_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
