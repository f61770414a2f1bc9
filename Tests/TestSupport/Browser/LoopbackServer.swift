import Foundation
import Glibc

/// Serves a folder to this machine alone, and remembers what was asked for.
package final class LoopbackServer {
  private let process = Process()
  private let log = TemporaryFolder()

  package init(serving folder: String) throws {
    for name in ["out", "err"] { try log.write("", to: name) }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: log.path(of: "out"))
    process.standardError = FileHandle(forWritingAtPath: log.path(of: "err"))
    try process.run()
  }

  deinit {
    if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

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
