import Fetch
import Files
import Glibc
import TestSupport

/// Fetchers that crash, send garbage, or are compromised.
///
/// `TakenOver` makes the attempt named in a request for `test:…`.
@Suite struct FetcherFaultTests {
  @Test func `if the process dies, its requests fail, and the next request restarts it`() throws {
    let server = try ScriptedServer { asked in
      asked.target == "/never" ? [.hold] : [.answer(text: "x")]
    }
    let child = ChildFetcherTests.child(server, program: BuiltProduct.takenOver)
    for (fault, words) in [
      ("test:die 11", "was killed by signal 11"), ("test:exit 7", "exited with status 7"),
    ] {
      let waiting = Waiting()
      let ticket = child.fetcher.begin(FetchRequest(server.url("/never"))) { waiting.take($0) }
      defer { ticket() }
      #expect(child.fetcher.get(server.url())?.text == "x")
      for failure in [child.fetcher.get(fault)?.failure, waiting.answer()?.failure] {
        #expect(failure?.reason == .notStarted)
        #expect(failure?.detail == "the network worker \(words)")
      }
      #expect(child.processID == nil)
    }
    #expect(child.fetcher.get(server.url())?.failure?.reason == .notStarted)
    #expect(child.isOutdated)
  }

  @Test func `a process that sends garbage is stopped`() throws {
    let server = try ScriptedServer { _ in [.hold] }
    let child = ChildFetcherTests.child(server, program: BuiltProduct.takenOver)
    let waiting = Waiting()
    _ = child.fetcher.begin(FetchRequest(server.url())) { waiting.take($0) }
    let process = try #require(child.processID)
    _ = child.fetcher.begin(FetchRequest("test:say nonsense-and-more")) { _ in }
    #expect(waiting.answer()?.failure?.detail == "the network worker sent a malformed message")
    #expect(eventually { kill(process, 0) != 0 })
  }

  @Test(arguments: [
    ("#!/bin/sh\nexit 0\n", "exited with status 0"),
    ("#!/bin/sh\necho help >&2; exit 2\n", "exited with status 2: help"),
    ("#!/bin/sh\ncat /dev/zero\n", "sent a malformed message"),
    ("#!/bin/sh\nexec yes\n", "sent a malformed message"),
    ("no program", "cannot start"),
  ]) func `a program that is not a fetcher is reported`(text: String, words: String) throws {
    let folder = TemporaryFolder()
    let program = try folder.program(text)
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let child = ChildFetcherTests.child(server, program: program)
    for _ in 0..<4 {
      let failure = child.fetcher.get(server.url())?.failure
      #expect(failure?.reason == .notStarted)
      #expect(failure?.detail.contains(words) == true, "\(String(describing: failure))")
    }
    #expect(server.connections == 0)
  }

  /// `close` and cancellation must not wait until the process is ready, which never happens here.
  @Test(arguments: [true, false]) func `a process that is still starting can be stopped`(
    byClosing: Bool
  ) throws {
    let folder = TemporaryFolder()
    let program = try folder.program(
      "#!/bin/sh\n: > \(folder.path(of: "begun"))\nexec sleep 1000\n")
    let child = ChildFetcher(Fetching.settings([]), program: program, environment: [:])
    let (isCancelled, waiting) = (Locked(false), Waiting())
    let begun = DispatchGroup()
    DispatchQueue.global().async(group: begun) {
      let ask = FetchRequest("http://a/")
      _ = child.begin(ask, isCancelled: { isCancelled.withLock { $0 } }) { waiting.take($0) }
    }
    #expect(eventually { folder.list().contains("begun") })
    #expect(!child.isOutdated && child.processID == nil)
    if byClosing { child.close() } else { isCancelled.withLock { $0 = true } }
    begun.wait()
    #expect(waiting.answer()?.failure == .closed)
    // A cancelled start does not count as a failure.
    #expect(!child.isOutdated)
  }

  @Test func `a process that never reads its commands is stopped`() throws {
    let folder = TemporaryFolder()
    let child = try FakeFetcher.child(saying: [], in: folder)
    let waiting = Waiting()
    // The paths are longer than the pipe's buffer.
    let path = String(repeating: "a", count: 8000)
    for number in 0..<300 where waiting.count == 0 {
      _ = child.fetcher.begin(FetchRequest("http://a/\(number)\(path)")) { waiting.take($0) }
    }
    #expect(waiting.answer()?.failure?.reason == .notStarted)
  }

  @Test(.needs(LesserKernel.need))
  func `a fetcher reports its active sandbox layers`() throws {
    let folder = TemporaryFolder()
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let cases = LesserKernel.cases + [([], .whole), (["close_range:retval=0"], .whole)]
    for (number, (missing, sandbox)) in cases.enumerated() {
      let program =
        missing.isEmpty
        ? BuiltProduct.takenOver
        : try folder.program(
          LesserKernel.script(BuiltProduct.takenOver, without: missing), at: "program-\(number)")
      let child = ChildFetcherTests.child(server, program: program)
      #expect(try child.sandbox { false } == sandbox, "\(missing)")
      #expect(child.fetcher.get("test:inherited 9")?.failure?.detail == "\(EBADF)")
      #expect(child.fetcher.get(server.url())?.text == "x")
    }
    for (program, words) in [("/bin/false", "exited with status 1"), ("/nothing", "cannot start")] {
      let child = ChildFetcherTests.child(server, program: program)
      let failure = #expect(throws: FetchFailure.self) { try child.sandbox { false } }
      #expect(failure?.reason == .notStarted && failure?.detail.contains(words) == true)
    }
  }

  /// N17: the processes started by a fetcher end with the build.
  @Test(.needs(LesserKernel.need))
  func `a compromised fetcher leaves no processes behind`() throws {
    let folder = TemporaryFolder()
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let child = ChildFetcherTests.child(server, program: BuiltProduct.takenOver)
    for attempt in ["outlive 60", "vfork 1", "fork 1", "setsid 1"] {
      #expect(child.fetcher.get("test:\(attempt)")?.failure?.detail == "\(EPERM)", "\(attempt)")
    }
    // The process reads no commands, ignores signals, and continues without its pipes.
    let process = try #require(child.processID)
    #expect(getsid(process) == process, "the fetcher left its session")
    _ = child.fetcher.begin(FetchRequest("test:stay 60")) { _ in }
    child.close()
    #expect(eventually { kill(process, 0) != 0 })
    // Without seccomp, the attempt succeeds, and the process gets its own session and group.
    let program = try folder.program(
      LesserKernel.script(BuiltProduct.takenOver, without: ["seccomp"]))
    let free = ChildFetcherTests.child(server, program: program)
    let detail = free.fetcher.get("test:outlive 60")?.failure?.detail
    let grandchild = try #require(detail.flatMap { pid_t($0) })
    try #require(grandchild > 1)
    defer { _ = kill(grandchild, SIGKILL) }
    #expect(eventually { getsid(grandchild) == grandchild })
    free.close()
    #expect(kill(grandchild, 0) == 0)
  }

  private static let signals = Need("a kernel whose Landlock knows signals") {
    Landlock.version ?? 0 >= 6
  }

  /// N17: a compromised fetcher can use the network but nothing on this machine.
  @Test(.needs(signals))
  func `a compromised fetcher can only make network requests`() throws {
    try expectDenied(BuiltProduct.takenOver)
  }

  /// N17: the attempts also fail as an unprivileged user.
  @Test(.needs(signals), .needs(OtherUser.need))
  func `without privileges, a compromised fetcher can only make network requests`() throws {
    let folder = TemporaryFolder()
    try expectDenied(folder.program(OtherUser.script(BuiltProduct.takenOver)))
  }

  private static let otherWays = Need("a kernel with MPTCP and TCP Fast Open", mayMissInCI: true) {
    ["mptcp/enabled", "ipv4/tcp_fastopen"].allSatisfy {
      let value = FileManager.default.contents(atPath: "/proc/sys/net/" + $0) ?? Data()
      return Int(String(decoding: value.dropLast(), as: UTF8.self)).map { $0 & 1 } == 1
    }
  }

  /// Proves that the attempts in the two tests above connect if no filter is active.
  @Test(.needs(LesserKernel.need), .needs(otherWays))
  func `without seccomp, other protocols and system calls can be used to connect`() throws {
    let folder = TemporaryFolder()
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let other = try ScriptedServer { _ in [.answer(text: "inside")] }
    let program = try folder.program(
      LesserKernel.script(BuiltProduct.takenOver, without: ["seccomp"]))
    let child = ChildFetcherTests.child(server, program: program)
    for attempt in [
      "sendto \(other.port)", "sendmsg \(other.port)", "sendmmsg \(other.port)", "limits 0",
      "socket \(AF_INET),1,262", "socket \(AF_NETLINK),3,16",
    ] {
      #expect(child.fetcher.get("test:\(attempt)")?.failure?.detail == "done", "\(attempt)")
    }
    #expect(eventually { other.connections == 3 })
  }

  private func expectDenied(_ program: String) throws {
    let folder = TemporaryFolder()
    try folder.write("secret", to: "file")
    let server = try ScriptedServer { _ in [.answer(text: "x")] }
    let other = try ScriptedServer { _ in [.answer(text: "inside")] }
    let child = ChildFetcherTests.child(server, program: program) { $0.spool = folder.path }
    #expect(child.fetcher.get(server.url())?.text == "x")
    let file = folder.path(of: "file")
    let blocked = [
      "open /etc/passwd", "open \(file)", "open /proc/\(getpid())/environ",
      "open /proc/\(getpid())/mem", "open /proc/self/maps", "list /", "list /etc", "list /proc",
      "list \(folder.path)", "connect \(other.port)",
    ]
    for attempt in blocked {
      #expect(child.fetcher.get("test:\(attempt)")?.failure?.detail == "\(EACCES)", "\(attempt)")
    }
    let denied = [
      "start /bin/true", "start \(BuiltProduct.worker)", "start /lib64/ld-linux-x86-64.so.2",
      "signal \(getpid())", "socket \(AF_UNIX),1,0", "socket \(AF_PACKET),3,0",
      "socket \(AF_PACKET),2,768", "socket \(AF_INET),1,262", "socket \(AF_INET6),1,262",
      "socket \(AF_INET),3,0", "socket \(AF_INET),3,1", "socket \(AF_INET6),3,58",
      "socket \(AF_INET),2,1", "socket \(AF_INET),2,136", "socket \(AF_INET),5,132",
      "socket \(AF_NETLINK),3,16", "socket \(AF_NETLINK),2,15", "socket \(AF_VSOCK),1,0",
      "sendto \(other.port)", "sendmsg \(other.port)", "sendmmsg \(other.port)", "limits 0",
      "make \(folder.path(of: "new"))", "make /dev/shm/new", "make /tmp/new", "remove \(file)",
      "chmod \(file)", "chown \(file)", "touch \(file)", "truncate \(file)", "setxattr \(file)",
      "prlimit \(getpid())", "priority \(getpid())", "own \(getpid())", "tkill \(getpid())",
      "tgkill \(getpid())", "queue \(getpid())", "pidfd \(getpid())", "setpgid \(getpid())",
      "setsid 1", "fork 1", "shmget 1", "pair \(SOCK_DGRAM.rawValue)", "listen 1",
      "control \(TIOCSTI)", "outlive 60", "vfork 1",
    ]
    for attempt in denied {
      #expect(child.fetcher.get("test:\(attempt)")?.failure?.detail == "\(EPERM)", "\(attempt)")
    }
    #expect(child.fetcher.get("test:clone3 1")?.failure?.detail == "\(ENOSYS)")
    let page = try Checkout.text(of: "docs/explanation/security.md")
    #expect(page.contains("makes \(blocked.count + denied.count + 1) attempts"))
    // Allowed calls prove that the attempts work.
    for socket in [
      "\(AF_INET),1,0", "\(AF_INET6),\(1 | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),6",
      "\(AF_INET),2,17", "\(AF_INET6),\(2 | SOCK_CLOEXEC.rawValue),0", "\(AF_NETLINK),3,0",
    ] {
      #expect(child.fetcher.get("test:socket \(socket)")?.failure?.detail == "done", "\(socket)")
    }
    let sets = try capabilities(of: #require(child.processID))
    // Only root can empty the bounding set; with `no_new_privs`, the set grants nothing.
    #expect(
      sets.subtracting(geteuid() == 0 && program == BuiltProduct.takenOver ? [] : ["CapBnd"]) == [])
    #expect(child.fetcher.get("test:prlimit 0")?.failure?.detail == "done")
    #expect(child.fetcher.get("test:pair \(SOCK_STREAM.rawValue)")?.failure?.detail == "done")
    #expect(child.fetcher.get("test:open /etc/hosts")?.failure?.detail == "done")
    #expect(child.fetcher.get("test:connect \(server.port)")?.failure?.detail == "done")
    #expect(other.connections == 0)
    #expect(child.fetcher.get(server.url("/after"))?.text == "x")
    #expect(folder.list() == ["file"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "secret")
  }
}
