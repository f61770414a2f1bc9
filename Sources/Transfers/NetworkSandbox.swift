// Compiled as a whole module, the kinds of sockets are those of the headers that curl includes.
import CCurl
import CLinux
import Fetch
import Files
import Glibc

extension NetworkRole {
  /// Gives away all that no request needs, and says which layers hold.
  ///
  /// It comes before anything from the network, and before there is another thread.
  static func enterSandbox(_ settings: FetchSettings, keeping kept: [Int32]) throws -> Jail {
    // The stacks of 200 threads, each of which waits for a silent name server, take half of it.
    try OwnProcess.limit(addressSpace: 4 << 30)
    // On a kernel without Landlock too.
    try OwnProcess.forbidFiles()
    try Curl.load()
    var layers = Jail.closeDescriptors(except: kept)
    // All ports that the policy allows, and that of name servers; a proxy may be anywhere.
    let ports = AddressPolicy.usualPorts + settings.policy.ports + [53]
    let landlock = Landlock(
      paths: readable(settings.certificates), ports: settings.proxy == .none ? ports : nil)
    if try landlock.restrict() { layers.insert(.files) }
    layers.formUnion(Jail.dropCapabilities())
    // Last: it forbids the calls above.
    if SystemCallFilter.network.install() { layers.insert(.systemCalls) }
    return layers
  }

  /// What libcurl, OpenSSL and the resolver of libc read after they have started.
  ///
  /// A file that is replaced later can no longer be read: folders where that can be, and a new
  /// process after a while (`ChildFetcher.isOutdated`).
  private static func readable(_ certificates: String?) -> [(
    path: String, rights: Landlock.Rights
  )] {
    let always = [
      "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf",
      "/etc/services", "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib",
    ]
    // The names in a folder of certificates are links to the last two.
    let trusted =
      certificates.map { [$0] }
      ?? Curl.certificates + ["/usr/share/ca-certificates", "/usr/local/share/ca-certificates"]
    return (always + trusted).map { ($0, .read) }
  }
}

extension SystemCallFilter {
  /// What libcurl, OpenSSL and the resolver of libc need for requests; found by strace.
  ///
  /// No new processes, no signals to others, no files but to read, and nothing that changes them.
  /// A service with a socket in the file system may do anything for us, such as start a program, so
  /// there are sockets of the internet only, and the one by which the resolver sorts addresses. A
  /// pair of datagram sockets could be connected to such a service, a pair of streams cannot.
  fileprivate static var network: SystemCallFilter {
    var always = [
      __NR_recvfrom, __NR_recvmsg, __NR_readv, __NR_writev,
      __NR_ppoll, __NR_pselect6, __NR_connect, __NR_bind, __NR_shutdown, __NR_getsockname,
      __NR_getpeername, __NR_getsockopt, __NR_setsockopt, __NR_epoll_create1, __NR_epoll_ctl,
      __NR_epoll_pwait, __NR_eventfd2, __NR_pipe2, __NR_timerfd_create, __NR_timerfd_settime,
      // Files are closed by Landlock; libraries that sort addresses may be loaded late.
      __NR_mmap, __NR_mprotect, __NR_pread64, __NR_lseek, __NR_fstat, __NR_newfstatat, __NR_statx,
      __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getdents64, __NR_getcwd,
      __NR_rt_sigaction, __NR_clock_getres, __NR_uname, __NR_getuid, __NR_geteuid, __NR_getgid,
      __NR_getegid, __NR_getppid, __NR_membarrier, __NR_getcpu,
    ]
    #if arch(x86_64)
      // Other architectures have only the newer forms.
      always += [__NR_poll, __NR_select, __NR_epoll_wait, __NR_access, __NR_readlink, __NR_time]
    #endif
    let (stream, datagram) = (UInt32(SOCK_STREAM.rawValue), UInt32(SOCK_DGRAM.rawValue))
    let typeFlags = UInt32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    // Landlock does not see a connection that is made by sending (`MSG_FASTOPEN`), nor one of
    // another protocol than TCP.
    let fastOpen: UInt32 = 0x2000_0000
    let protocols = [0, IPPROTO_TCP, IPPROTO_UDP].map { UInt32($0) }
    return SystemCallFilter(
      computing + always.map { ($0, []) } + [
        (__NR_sendto, [.without(fastOpen, argument: 3)]),
        (__NR_sendmsg, [.without(fastOpen, argument: 2)]),
        (__NR_sendmmsg, [.without(fastOpen, argument: 3)]),
        (
          __NR_socket,
          [
            .among([AF_INET, AF_INET6].map { UInt32($0) }, argument: 0),
            .among([stream, datagram], argument: 1, mask: typeFlags),
            .among(protocols, argument: 2),
          ]
        ),
        // Routes, by which the resolver sorts addresses.
        (__NR_socket, [.among([UInt32(AF_NETLINK)], argument: 0), .among([0], argument: 2)]),
        (__NR_socketpair, [.among([stream], argument: 1, mask: typeFlags)]),
        (__NR_openat, [.without(UInt32(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC), argument: 2)]),
        // Not F_SETOWN: the kernel would send signals for us.
        (
          __NR_fcntl,
          [
            .among(
              [F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC].map { UInt32($0) }, argument: 1)
          ]
        ),
        (
          __NR_ioctl,
          [.among([FIONREAD, FIONBIO, SIOCGIFINDEX].map { UInt32($0) }, argument: 1)]
        ),
        (__NR_prctl, [.among([UInt32(PR_SET_NAME), UInt32(PR_GET_NAME)], argument: 0)]),
        // It may read its limits.
        (__NR_prlimit64, [.among([0], argument: 0), .null(argument: 2)]),
      ])
  }
}
