import Foundation
import Glibc

/// Serves a folder to this machine alone, and remembers what was asked for.
package final class LoopbackServer {
  private let process = Process()
  private let log = TemporaryFolder()
  /// Who holds pictures back waits for a line.
  private let gate = Pipe()

  /// - Parameters:
  ///   - folder: What it serves.
  ///   - policy: A Content-Security-Policy that goes with everything.
  ///   - holdsPictures: Whether no picture comes before `release()`.
  /// - Throws: When it cannot be started.
  package init(
    serving folder: String, policy: String? = nil, holdsPictures: Bool = false
  ) throws {
    for name in ["out", "err"] { try log.write("", to: name) }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-u", "-c", Self.program, folder, policy ?? "", "\(holdsPictures)"]
    process.standardInput = gate
    process.standardOutput = FileHandle(forWritingAtPath: log.path(of: "out"))
    process.standardError = FileHandle(forWritingAtPath: log.path(of: "err"))
    try process.run()
  }

  deinit {
    if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Lets the pictures go.
  package func release() throws {
    try gate.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
  }

  /// As `python3 -m http.server`, with a policy and a gate for pictures.
  private static let program = """
    import http.server, sys, threading
    folder, policy, holds = sys.argv[1:]
    gate = threading.Event()
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=folder)
        def end_headers(self):
            if policy: self.send_header("Content-Security-Policy", policy)
            super().end_headers()
        def do_GET(self):
            if holds == "true" and "/assets/" in self.path: gate.wait(60)
            super().do_GET()
    def wait():
        if sys.stdin.readline(): gate.set()
    threading.Thread(target=wait, daemon=True).start()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print("on port", server.server_address[1], "of this machine")
    server.serve_forever()
    """

  /// `http://127.0.0.1:41234/`, once it answers.
  package func address() throws -> String {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let words = try log.text(of: "out").split(separator: " ")
      if let place = words.firstIndex(of: "port"), place + 1 < words.count {
        return "http://127.0.0.1:\(words[place + 1])/"
      }
      usleep(2_000)
    }
    throw Browser.Failure.late("the server")
  }

  /// The paths that were asked for so far, in their order, but what browsers ask of any site.
  package func requests() throws -> [String] {
    try log.text(of: "err").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\"")
      guard parts.count > 1, parts[1].hasPrefix("GET ") else { return nil }
      let path = String(parts[1].split(separator: " ")[1])
      return path == "/favicon.ico" ? nil : path
    }
  }
}
