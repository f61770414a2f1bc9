import Files
import Glibc
import TestSupport

/// Each test runs in a child process, because restrictions are permanent.
@Suite(.needs(Need("a kernel with Landlock") { Landlock.version != nil }))
struct LandlockTests {
  private static func restrict(_ rules: Landlock) throws {
    let isRestricted = try rules.restrict()
    precondition(isRestricted)
  }

  /// Returns 0 or the error number.
  private static func opening(_ path: String, _ flags: Int32 = O_RDONLY) -> Int32 {
    let file = unsafe open(path, flags | O_CLOEXEC, 0o600)
    if file < 0 { return errno }
    _ = close(file)
    return 0
  }

  @Test func `without rules, no path can be opened, created or executed`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try folder.write("x", to: "file")
      let already = unsafe open(folder.path(of: "file"), O_RDONLY)
      try LandlockTests.restrict(Landlock())
      precondition(LandlockTests.opening(folder.path(of: "file")) == EACCES)
      precondition(LandlockTests.opening(folder.path(of: "new"), O_WRONLY | O_CREAT) == EACCES)
      precondition(LandlockTests.opening("/", O_RDONLY | O_DIRECTORY) == EACCES)
      precondition(unsafe unlink(folder.path(of: "file")) != 0)
      var child: pid_t = 0
      precondition(unsafe posix_spawn(&child, "/bin/true", nil, nil, [nil], [nil]) == EACCES)
      var byte: UInt8 = 0
      precondition(unsafe read(already, &byte, 1) == 1)
    }
  }

  /// Rules allow access, so a missing rule would deny more than requested.
  @Test func `if a rule cannot be created, no rules are enforced`() async {
    await #expect(processExitsWith: .success) {
      let next = unsafe open("/", O_RDONLY | O_CLOEXEC)
      _ = close(next)
      var limits = rlimit(rlim_cur: rlim_t(next) + 8, rlim_max: rlim_t(next) + 8)
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
      // Other threads of this process may close descriptors, so fill the table repeatedly.
      var held: [Int32] = []
      for _ in 0..<100 {
        while case let file = unsafe open("/", O_RDONLY | O_CLOEXEC), file >= 0 {
          held.append(file)
        }
        usleep(1_000)
      }
      // The ruleset gets the last free descriptor.
      _ = close(held.removeLast())
      do {
        try LandlockTests.restrict(Landlock(paths: [("/", .read)]))
        preconditionFailure()
      } catch let error as FileError {
        precondition(error.code == EMFILE && error.path == "/")
      }
      precondition(LandlockTests.opening("/") == 0)
    }
  }

  @Test func `a rule allows its operations only within its folder`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try folder.write("x", to: "read/a/file")
      try folder.write("x", to: "write/file")
      try folder.write("x", to: "single")
      let rules = Landlock(paths: [
        (folder.path(of: "read"), .read), (folder.path(of: "write"), [.read, .write]),
        (folder.path(of: "single"), [.read, .execute]), (folder.path(of: "missing"), .read),
      ])
      try LandlockTests.restrict(rules)
      precondition(LandlockTests.opening(folder.path(of: "read/a/file")) == 0)
      precondition(LandlockTests.opening(folder.path(of: "read/a/file"), O_WRONLY) == EACCES)
      precondition(LandlockTests.opening(folder.path(of: "read/new"), O_WRONLY | O_CREAT) == EACCES)
      precondition(LandlockTests.opening(folder.path(of: "write/new"), O_WRONLY | O_CREAT) == 0)
      precondition(unsafe rename(folder.path(of: "write/new"), folder.path(of: "write/b")) == 0)
      precondition(unsafe mkdir(folder.path(of: "write/folder"), 0o700) == 0)
      precondition(unsafe symlink("b", folder.path(of: "write/link")) == 0)
      precondition(unsafe truncate(folder.path(of: "write/b"), 1) == 0)
      precondition(LandlockTests.opening(folder.path(of: "single")) == 0)
      precondition(LandlockTests.opening(folder.path(of: "single"), O_WRONLY) == EACCES)
    }
  }

  @Test(.needs(Need("a kernel whose Landlock knows ports") { Landlock.version ?? 0 >= 4 }))
  func `connections are allowed only to listed ports`() async {
    await #expect(processExitsWith: .success) {
      try LandlockTests.restrict(Landlock(ports: [9]))
      func connecting(_ port: UInt16) -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
          unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        return result == 0 ? 0 : errno
      }
      precondition(connecting(10) == EACCES)
      precondition(connecting(9) != EACCES)
    }
  }

  @Test(.needs(Need("a kernel whose Landlock knows signals") { Landlock.version ?? 0 >= 6 }))
  func `signals to processes outside the sandbox are denied`() async {
    await #expect(processExitsWith: .success) {
      precondition(kill(getppid(), 0) == 0)
      try LandlockTests.restrict(Landlock())
      precondition(kill(getppid(), 0) == -1 && errno == EPERM)
      precondition(kill(getpid(), 0) == 0)
    }
  }
}
