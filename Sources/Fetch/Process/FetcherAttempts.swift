#if DEBUG
  import Glibc

  /// What a fetcher tries that is taken over, for tests: a request for `test:open /etc/passwd`.
  ///
  /// Its answer is a failure whose detail is `done`, or the number of the error.
  enum FetcherAttempts {
    static func failure(of url: String) -> FetchFailure? {
      guard url.hasPrefix("test:") else { return nil }
      let words = url.dropFirst(5).split(separator: " ").map(String.init)
      guard words.count == 2 else { return nil }
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
        return isOpen(socket(Int32(object) ?? 0, Int32(SOCK_STREAM.rawValue), 0))
      case "connect":
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { _ = close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (UInt16(object) ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) {
          unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
          }
        }
      case "die": raise(Int32(object) ?? SIGSEGV)
      case "exit": _exit(Int32(object) ?? 1)
      case "say": _ = unsafe write(STDOUT_FILENO, object, object.utf8.count)
      case "sleep": sleep(UInt32(object) ?? 0)
      default: break
      }
      return true
    }

    private static func isOpen(_ descriptor: Int32) -> Bool {
      defer { if descriptor >= 0 { _ = close(descriptor) } }
      return descriptor >= 0
    }
  }
#endif
