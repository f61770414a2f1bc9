import Glibc
import SiteSupport

/// A network namespace with public and private addresses and DNS names, isolated from the machine.
///
/// A script creates the network, opens the sockets of the test servers, and passes them on.
struct NamespaceLab {
  enum Failure: Error {
    case said(String)
  }

  struct Plan {
    var names: NameServer.Table = [:]
    /// Full URLs for redirects, by `name/path`.
    var redirects: [String: String] = [:]
    /// The picture of the allowed servers, followed by the picture of the forbidden servers.
    var picture = Data()
    var wrongPicture = Data()
    var programs: [[String]] = []
    /// Files to copy after each program has run, into a folder named by the program's number.
    var kept: [String] = []
  }

  struct Result {
    struct Program: Decodable {
      var status: Int
      var said: String
    }

    var programs: [Program]
    /// The number of connections by address, without the control connection.
    var canaries: [String: Int]
    /// The requests at the public addresses, as `name/path`.
    var requests: [String]
    /// The DNS questions, such as `A turns.example`.
    var questions: [String]
  }

  /// The picture server's address, which outside this namespace is a DNS root server's.
  static let publicAddress = "198.41.0.4"
  static let publicNewAddress = "2001:503:ba3e::2:30"
  private static let open = [publicAddress, publicNewAddress]
  private static let closed = [
    "127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "fd00::1",
  ]

  static let need = Need("the right to make networks and mount files") { isPossible }

  private static let isPossible: Bool = {
    let probe = """
      ip link set lo up && ip address add 198.41.0.4/32 dev lo \
        && ip -6 address add 2001:503:ba3e::2:30/128 dev lo nodad \
        && mount --bind /etc/hosts /etc/resolv.conf && mount --bind /etc/hosts /etc/nsswitch.conf
      """
    return (try? Alone(["/bin/sh", "-c", probe]).end().status) == 0
  }()

  /// A program in new network and mount namespaces.
  private struct Alone {
    private let folder = TemporaryFolder()
    private let process = Process()

    init(_ words: [String], input: FileHandle = .nullDevice) throws {
      for name in ["out", "err"] { try folder.write("", to: name) }
      process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
      // Without root, `unshare` creates a user namespace.
      process.arguments = [geteuid() == 0 ? "-mn" : "-Urmn", "--"] + words
      process.standardInput = input
      process.standardOutput = FileHandle(forWritingAtPath: folder.path(of: "out"))
      process.standardError = FileHandle(forWritingAtPath: folder.path(of: "err"))
      try process.run()
    }

    func end() throws -> (status: Int32, out: Data, errors: String) {
      process.waitUntilExit()
      return (process.terminationStatus, try folder.read("out"), try folder.text(of: "err"))
    }
  }

  let folder = TemporaryFolder()

  func run(_ plan: Plan) throws -> Result {
    let words = try JSONEncoder().encode([[folder.path], plan.kept, Self.open, Self.closed])
    let programs = try JSONEncoder().encode(plan.programs)
    let (ours, theirs) = try Socket.pair()
    defer { ours.close() }
    let input = FileHandle(fileDescriptor: theirs.descriptor, closeOnDealloc: false)
    let alone = try Alone(
      ["/usr/bin/python3", "-c", Self.program]
        + [words, programs].map { String(decoding: $0, as: UTF8.self) }, input: input)
    theirs.close()
    var sockets = ours.receiveSockets(1 + Self.open.count + Self.closed.count)
    guard sockets.count == 1 + Self.open.count + Self.closed.count else {
      throw Failure.said(try alone.end().errors)
    }
    let names = NameServer(at: sockets.removeFirst(), plan.names)
    let served = Self.open.map { address in
      ScriptedServer(at: address, sockets.removeFirst()) { Self.steps(for: $0, plan) }
    }
    // Forbidden servers return a picture, so that a connection is noticed in two ways.
    let picture = ScriptedServer.Step.answer(
      200, ["Content-Type": "image/png"], body: plan.wrongPicture)
    let canaries = Self.closed.map { address in
      ScriptedServer(at: address, sockets.removeFirst(), greeting: [picture, .close]) { _ in [] }
    }
    ours.send([1])
    let (status, out, errors) = try alone.end()
    guard status == 0 else { throw Failure.said(errors) }
    return Result(
      programs: try JSONDecoder().decode([Result.Program].self, from: out),
      canaries: Dictionary(
        uniqueKeysWithValues: canaries.map { ($0.address, $0.connections - 1) }),
      requests: served.flatMap(\.requests).map { ($0["host"] ?? "") + $0.target },
      questions: names.questions)
  }

  /// Sends one response per connection, so that the next request resolves the name again.
  private static func steps(
    for request: ScriptedServer.Request, _ plan: Plan
  ) -> [ScriptedServer.Step] {
    if let there = plan.redirects[(request["host"] ?? "") + request.target] {
      return [.answer(302, ["Location": there, "Connection": "close"]), .close]
    }
    return [
      .answer(
        200,
        ["Content-Type": "image/png", "Cache-Control": "no-cache", "Connection": "close"],
        body: plan.picture), .close,
    ]
  }

  /// Returns a file that was kept after a program; programs are counted from 0.
  func kept(_ name: String, after program: Int) throws -> Data {
    try folder.read("\(program)/\(name)")
  }

  /// The program that runs as root inside the namespaces.
  private static let program = #"""
    import json, os, shutil, socket, subprocess, sys
    (work,), kept, opened, closed = json.loads(sys.argv[1])

    def run(*words):
        subprocess.run(words, check=True)

    def hide(path, text):
        # Another file in its place, for us alone.
        file = os.path.join(work, os.path.basename(path))
        with open(file, "w") as out: out.write(text)
        run("mount", "--bind", file, os.path.realpath(path))

    hide("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    hide("/etc/nsswitch.conf", "hosts: files dns\n")
    run("ip", "link", "set", "lo", "up")
    for address in opened + closed:
        if address in ("127.0.0.1", "::1"): continue
        size = "/128" if ":" in address else "/32"
        run("ip", "address", "add", address + size, "dev", "lo", *["nodad"][:":" in address])

    def listener(address):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        wire = socket.socket(family, socket.SOCK_STREAM)
        # Else `::1` would be where 127.0.0.1 is, too.
        if family == socket.AF_INET6: wire.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        wire.bind((address, 80))
        wire.listen(512)
        return wire

    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    wires = [names] + [listener(address) for address in opened + closed]
    tests = socket.socket(fileno=0)
    socket.send_fds(tests, [b"!"], [wire.fileno() for wire in wires])
    assert tests.recv(1), "the tests are gone"
    for wire in wires: wire.close()

    programs = []
    for number, words in enumerate(json.loads(sys.argv[2])):
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=600)
        programs.append({"status": done.returncode, "said": done.stdout.decode(errors="replace")})
        folder = os.path.join(work, str(number))
        os.mkdir(folder)
        for path in kept:
            if os.path.exists(path): shutil.copy(path, folder)

    # The witness: in each queue it comes behind all that came before it.
    for address in closed:
        with socket.create_connection((address, 80), timeout=60) as wire:
            while wire.recv(65536): pass
    print(json.dumps(programs))
    """#
}
