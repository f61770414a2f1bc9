#pragma once
// As in CMagickWand: fixes the layout of libc's types before another header does.
#include <features.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

/// Asks for the SRV records of a name. `res_ninit`, `res_nquery` and `res_nclose` are macros or take
/// a structure with unions and bit fields, which Swift cannot import well.
///
/// - Parameters: `addresses` (network byte order) and `ports` of `count` servers to ask instead of
///   those of the system; none if `count` is 0.
/// - Returns: The length of the answer; 0 if there is no such record; -1 if the query failed.
static inline int sitegen_ask_for_services(const char *name, const unsigned *addresses,
                                           const unsigned short *ports, int count, int seconds,
                                           unsigned char *answer, int capacity) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  if (count > 0) {
    state.nscount = count < MAXNS ? count : MAXNS;
    for (int index = 0; index < state.nscount; index++) {
      memset(&state.nsaddr_list[index], 0, sizeof state.nsaddr_list[index]);
      state.nsaddr_list[index].sin_family = AF_INET;
      state.nsaddr_list[index].sin_addr.s_addr = addresses[index];
      state.nsaddr_list[index].sin_port = htons(ports[index]);
    }
  }
  state.retrans = seconds;
  state.retry = 1;
  // Over TCP the library has no time limit, so a truncated answer is not asked for again; EDNS allows
  // longer answers. The name is complete, so no domain is appended.
  state.options &= ~(unsigned long)(RES_USEVC | RES_DEFNAMES | RES_DNSRCH | RES_ROTATE);
  state.options |= RES_IGNTC | RES_USE_EDNS0;
  int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, capacity);
  int reason = state.res_h_errno;
  res_nclose(&state);
  if (length >= 0) return length;
  return reason == HOST_NOT_FOUND || reason == NO_DATA ? 0 : -1;
}
