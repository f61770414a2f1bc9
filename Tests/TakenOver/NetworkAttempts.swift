import CLinux
import Fetch
import Glibc

/// Attacks from a compromised network worker, such as a request for `test:open /etc/passwd`.
///
/// The response is a failure whose detail is `done` or the error number.
enum NetworkAttempts {
  static func failure(of url: String) -> FetchFailure? {
    guard url.hasPrefix("test:") else { return nil }
    let words = url.dropFirst(5).split(separator: " ").map(String.init)
    guard words.count == 2 else { return nil }
    if words[0] == "outlive" {
      return FetchFailure(.badAnswer, "\(outlive(seconds: UInt32(words[1]) ?? 0))")
    }
    return FetchFailure(.badAnswer, attempt(words[0], words[1]) ? "done" : "\(errno)")
  }

  private static func attempt(_ what: String, _ object: String) -> Bool {
    switch what {
    case "open": return isOpen(unsafe open(object, O_RDONLY))
    case "list": return isOpen(unsafe open(object, O_RDONLY | O_DIRECTORY))
    case "make": return isOpen(unsafe open(object, O_WRONLY | O_CREAT, 0o600))
    case "remove": return unsafe unlink(object) == 0
    case "start":
      var child: pid_t = 0
      errno = unsafe posix_spawn(&child, object, nil, nil, [nil], [nil])
      return errno == 0
    case "signal": return kill(pid_t(object) ?? 0, 0) == 0
    case "socket":
      let numbers = object.split(separator: ",").compactMap { Int32($0) }
      return isOpen(socket(numbers[0], numbers[1], numbers[2]))
    case "connect", "sendto", "sendmsg", "sendmmsg": return connect(to: object, by: what)
    case "die": raise(Int32(object) ?? SIGSEGV)
    case "exit": _exit(Int32(object) ?? 1)
    // One of these descriptors is the pipe to the build.
    case "say": for pipe: Int32 in 3..<8 { _ = unsafe write(pipe, object, object.utf8.count) }
    case "sleep": sleep(UInt32(object) ?? 0)
    case "stay":
      for number in [SIGTERM, SIGHUP, SIGINT, SIGPIPE] { signal(number, SIG_IGN) }
      sleep(UInt32(object) ?? 0)
    case "inherited": return fcntl(Int32(object) ?? 0, F_GETFD) >= 0
    default: return call(what, object) >= 0
    }
    return true
  }

  /// Connects to a local port with a system call; sending calls use `MSG_FASTOPEN`.
  private static func connect(to port: String, by call: String) -> Bool {
    let socket = Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    defer { _ = close(Int32(socket)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (UInt16(port) ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = MemoryLayout<sockaddr_in>.size
    // A `mmsghdr` consists of a `msghdr` and a number.
    var message = unsafe [msghdr(), msghdr()]
    return unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe message[0].msg_name = UnsafeMutableRawPointer(address)
      unsafe message[0].msg_namelen = socklen_t(size)
      let place = Int(bitPattern: address)
      return unsafe message.withUnsafeMutableBufferPointer { message in
        let message = Int(bitPattern: message.baseAddress)
        let fastOpen = 0x2000_0000
        return switch call {
        case "connect": linux_call(Int(__NR_connect), socket, place, size, 0, 0, 0) == 0
        case "sendto":
          linux_call(Int(__NR_sendto), socket, place, 1, fastOpen, place, size) >= 0
        case "sendmsg": linux_call(Int(__NR_sendmsg), socket, message, fastOpen, 0, 0, 0) >= 0
        default: linux_call(Int(__NR_sendmmsg), socket, message, 1, fastOpen, 0, 0) >= 0
        }
      }
    }
  }

  /// Starts a process in a new session, and returns its ID or the error number.
  private static func outlive(seconds: UInt32) -> Int {
    let child = linux_call(Int(__NR_clone), Int(SIGCHLD), 0, 0, 0, 0, 0)
    if child < 0 { return Int(errno) }
    if child > 0 { return child }
    _ = linux_call(Int(__NR_setsid), 0, 0, 0, 0, 0, 0)
    sleep(seconds)
    _exit(0)
  }

  /// Makes a system call with arguments that are forbidden but do no harm if they succeed.
  private static func call(_ what: String, _ object: String) -> Int {
    let number = Int(object) ?? 0
    func call(_ call: Int32, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) -> Int {
      linux_call(Int(call), a, b, c, d, 0, 0)
    }
    func call(_ number: Int32, path: String, _ c: Int = 0, _ d: Int = 0) -> Int {
      unsafe path.withCString { call(number, Int(AT_FDCWD), Int(bitPattern: $0), c, d) }
    }
    switch what {
    case "chmod": return call(__NR_fchmodat, path: object, 0o777)
    case "chown": return call(__NR_fchownat, path: object, -1, -1)
    case "touch": return call(__NR_utimensat, path: object)
    case "truncate":
      return unsafe object.withCString { call(__NR_truncate, Int(bitPattern: $0)) }
    case "setxattr":
      return unsafe object.withCString { call(__NR_setxattr, Int(bitPattern: $0)) }
    case "prlimit": return call(__NR_prlimit64, number, Int(RLIMIT_CPU.rawValue))
    // Sets the limits to their old values. The lower half of the address is zero.
    case "limits":
      let place = linux_call(
        Int(__NR_mmap), 1 << 40, 4096, Int(PROT_READ | PROT_WRITE),
        Int(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED), -1, 0)
      _ = call(__NR_prlimit64, 0, Int(RLIMIT_CPU.rawValue), 0, place)
      return call(__NR_prlimit64, number, Int(RLIMIT_CPU.rawValue), place)
    case "tkill": return call(__NR_tkill, number)
    case "tgkill": return call(__NR_tgkill, number, number)
    case "queue": return call(__NR_rt_sigqueueinfo, number)
    case "pidfd": return call(__NR_pidfd_open, number)
    case "priority": return call(__NR_setpriority, -1, number)
    case "shmget": return call(__NR_shmget)
    // The kernel sends signals to the owner of a pipe.
    case "own": return call(__NR_fcntl, Int(STDOUT_FILENO), Int(F_SETOWN), number)
    case "control": return call(__NR_ioctl, Int(STDOUT_FILENO), number)
    case "setpgid": return call(__NR_setpgid, number, number)
    case "setsid": return call(__NR_setsid)
    case "fork":
      let child = call(__NR_clone, Int(SIGCHLD))
      if child == 0 { _exit(0) }
      return child
    // `posix_spawn` makes the same call.
    case "vfork":
      let child = call(__NR_clone, Int(CLONE_VFORK) | Int(SIGCHLD))
      if child == 0 { _exit(0) }
      return child
    case "clone3": return call(__NR_clone3)
    // A pair of datagram sockets could be reconnected to another address.
    case "pair":
      var ends: [Int32] = [0, 0]
      return Int(unsafe socketpair(AF_UNIX, Int32(number), 0, &ends))
    case "listen":
      return call(__NR_listen, Int(socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)), 1)
    default: return 0
    }
  }

  private static func isOpen(_ descriptor: Int32) -> Bool {
    defer { if descriptor >= 0 { _ = close(descriptor) } }
    return descriptor >= 0
  }
}
