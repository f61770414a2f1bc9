// In whole-module builds, `SOCK_STREAM` comes from CCurl's headers.
import CCurl
import CLinux
import Fetch
import Files
import Glibc

extension NetworkRole {
  /// Drops unneeded rights; must be called before any network input and before other threads start.
  static func enterSandbox(_ settings: FetchSettings, keeping kept: [Int32]) throws -> Sandbox {
    // Half of this limit is for the stacks of 200 resolver threads that wait for name servers.
    try OwnProcess.limit(addressSpace: 4 << 30)
    // This file size limit also works on kernels without Landlock.
    try OwnProcess.forbidFiles()
    try Curl.load()
    var layers = Sandbox.closeDescriptors(except: kept)
    // Allow the policy's ports and DNS. A proxy may use any port.
    let ports = AddressPolicy.usualPorts + settings.policy.ports + [53]
    let landlock = Landlock(
      paths: readable(settings.certificates), ports: settings.proxy == .none ? ports : nil)
    if try landlock.restrict() { layers.insert(.files) }
    layers.formUnion(Sandbox.dropCapabilities())
    // Install the filter last, because it forbids the calls above.
    if SystemCallFilter.network.install() { layers.insert(.systemCalls) }
    return layers
  }

  /// Returns the paths that libcurl, OpenSSL and libc's resolver read after startup.
  ///
  /// A rule for a file does not cover its replacement. Therefore, folders are listed where
  /// possible, and the process is replaced after a while: see `ChildFetcher.isOutdated`.
  private static func readable(_ certificates: String?) -> [(
    path: String, rights: Landlock.Rights
  )] {
    let always = [
      "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf",
      "/etc/services", "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib",
    ]
    // Files in the certificate folder are symlinks to files in the last two folders.
    let trusted =
      certificates.map { [$0] }
      ?? Curl.certificates + ["/usr/share/ca-certificates", "/usr/local/share/ca-certificates"]
    return (always + trusted).map { ($0, .read) }
  }
}

extension SystemCallFilter {
  /// The system calls that libcurl, OpenSSL and libc's resolver need; found with strace.
  ///
  /// The process cannot start or signal other processes, or write files. Unix domain sockets are
  /// forbidden, because a local service could start programs. Netlink is allowed, because the
  /// resolver sorts addresses by route. Only stream socket pairs are allowed, because a datagram
  /// pair could be reconnected to a service.
  fileprivate static var network: SystemCallFilter {
    var always = [
      __NR_recvfrom, __NR_recvmsg, __NR_readv, __NR_writev,
      __NR_ppoll, __NR_pselect6, __NR_connect, __NR_bind, __NR_shutdown, __NR_getsockname,
      __NR_getpeername, __NR_getsockopt, __NR_setsockopt, __NR_epoll_create1, __NR_epoll_ctl,
      __NR_epoll_pwait, __NR_eventfd2, __NR_pipe2, __NR_timerfd_create, __NR_timerfd_settime,
      // The resolver needs these calls to load libraries on demand; Landlock restricts the files.
      __NR_mmap, __NR_mprotect, __NR_pread64, __NR_lseek, __NR_fstat, __NR_newfstatat, __NR_statx,
      __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getdents64, __NR_getcwd,
      __NR_rt_sigaction, __NR_clock_getres, __NR_uname, __NR_getuid, __NR_geteuid, __NR_getgid,
      __NR_getegid, __NR_getppid, __NR_membarrier, __NR_getcpu,
    ]
    #if arch(x86_64)
      // Other architectures have only the newer calls.
      always += [__NR_poll, __NR_select, __NR_epoll_wait, __NR_access, __NR_readlink, __NR_time]
    #endif
    let (stream, datagram) = (UInt32(SOCK_STREAM.rawValue), UInt32(SOCK_DGRAM.rawValue))
    let typeFlags = UInt32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    // Landlock ignores connections opened with `MSG_FASTOPEN`, and protocols other than TCP.
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
        (__NR_socket, [.among([UInt32(AF_NETLINK)], argument: 0), .among([0], argument: 2)]),
        (__NR_socketpair, [.among([stream], argument: 1, mask: typeFlags)]),
        (__NR_openat, [.without(UInt32(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC), argument: 2)]),
        // F_SETOWN is excluded: it makes the kernel send signals.
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
        // Allow the process only to read its own limits.
        (__NR_prlimit64, [.among([0], argument: 0), .null(argument: 2)]),
      ])
  }
}
