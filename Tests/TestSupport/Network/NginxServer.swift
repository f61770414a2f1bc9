import Glibc

/// An nginx on the loopback address, which runs until this object is released.
package final class NginxServer {
  package enum Failure: Error {
    /// nginx did not start; the text is its output.
    case silent(String)
  }

  static let program = "/usr/sbin/nginx"

  package let port: UInt16
  private let process: Process
  private let work: TemporaryFolder

  package init(
    serving folder: String, secureBy pair: TestCertificates.Pair? = nil, more: String = ""
  ) throws {
    var lines = ["root \"\(folder)\";", more]
    if let pair {
      lines += ["ssl_certificate \"\(pair.certificate)\";", "ssl_certificate_key \"\(pair.key)\";"]
    }
    let kind = pair == nil ? "" : " ssl http2"
    // Another process may take the chosen port first.
    var said = ""
    for _ in 1...5 {
      let (port, work) = (try Socket.freePort(), TemporaryFolder())
      let all = ["listen 127.0.0.1:\(port)\(kind);"] + lines
      try work.write(Self.configuration(all, in: work), to: "nginx.conf")
      if let process = try Self.start(port: port, in: work) {
        (self.port, self.work, self.process) = (port, work, process)
        return
      }
      said = (try? work.text(of: "error.log")) ?? ""
    }
    throw Failure.silent(said)
  }

  deinit {
    Self.end(process)
  }

  private static func end(_ process: Process) {
    if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Returns the program when it responds, or nil if it exits.
  private static func start(port: UInt16, in work: TemporaryFolder) throws -> Process? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "-e", work.path(of: "error.log"), "-p", work.path, "-c", work.path(of: "nginx.conf"),
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // nginx writes its process ID when it listens; until then, another process may own the port.
    let answers = try eventually {
      if !process.isRunning { return true }
      guard try work.exists("pid") && !work.read("pid").isEmpty else { return false }
      guard let socket = try? Socket(to: port) else { return false }
      socket.close()
      return true
    }
    if answers, process.isRunning { return process }
    end(process)
    return nil
  }

  /// Returns a configuration with a single process, so that killing it leaves no child behind.
  private static func configuration(_ server: [String], in work: TemporaryFolder) -> String {
    let user = unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "  \($0)_temp_path \(work.path)/\($0);"
    }
    let lines =
      ["daemon off;", "master_process off;", "pid \(work.path)/pid;"]
      + (geteuid() == 0 ? ["user \(user ?? "root");"] : [])
      + ["events { worker_connections 512; }", "http {", "  include /etc/nginx/mime.types;"]
      + ["  access_log off;"]
      + temporary + ["  server {"] + server.map { "    " + $0 } + ["  }", "}", ""]
    return lines.joined(separator: "\n")
  }
}
