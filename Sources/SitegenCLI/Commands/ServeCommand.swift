import Build
import Diagnostics
import Foundation
import Preview

extension Option {
  static let host = Option(
    "host", .text("ADDRESS"), absent: "this machine only",
    in: .own, "the address to listen on; 0.0.0.0 lets other machines connect")
  static let port = Option(
    "port", .number("N", 0...65535), letter: "p", absent: "8080, or the next free port",
    in: .own, "the port to listen on; 0 picks any free port")
  static let open = Option("open", in: .own, "open the first page in the browser")
}

extension Command {
  static let serve: Command = Command(
    "serve", "Build and preview the site, and rebuild it whenever a file changes",
    operands: [.site],
    options: [
      .host, .port, .open, .manifest, .output, .cache, .templates, .jobs, .strict, .adopt,
      .allowEmpty, .allowShrink, .offline, .timeout, .memory, .requireSandbox, .quiet,
    ], exits: [3, 128]
  ) { (arguments, session) throws(Diagnostic) in
    var options = try arguments.buildOptions("serve")
    options.isPreview = true
    let printer = Printer(session.console, isQuiet: arguments.isQuiet)
    do {
      try FolderRules.checkOutput(options)
    } catch {
      return BuildFailure(error, Cancellation()).report(to: printer)
    }
    let live = LiveChannel()
    let cancellation = Cancellation()
    let loop = RebuildLoop(arguments, options, session.console, cancellation, live: live)
    return try Interruption.watched(session.console, cancellation, stop: loop.stop) { _ in
      let site = ServedSite(folder: options.output, names: ServedOutput().names)
      let server: PreviewServer
      do throws(PreviewError) {
        let port = arguments.number(.port).flatMap { UInt16(exactly: $0) }
        server = try PreviewServer(
          PreviewSettings(host: arguments.text(.host), port: port), site: site, live: live)
      } catch {
        printer.problem(Diagnostic(error))
        if case .badHost = error { return .usage }
        return .machine
      }
      if let host = arguments.text(.host),
        !["::1", "localhost"].contains(host), !host.hasPrefix("127.")
      {
        printer.problem(.open(to: server.url))
      }
      session.console.out("\(server.url) shows \(options.output)\n")
      if arguments.has(.open) { openBrowser(server.url, printer) }
      loop.run()
      server.stop()
      return ExitStatus(cancellation)
    }
  }
}

private func openBrowser(_ url: String, _ printer: Printer) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["xdg-open", url]
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  do { try process.run() } catch { printer.say("cannot open a browser: xdg-open failed to start") }
}

extension Diagnostic {
  fileprivate static func open(to url: String) -> Diagnostic {
    Diagnostic(
      .warning, .servedToOthers, "everyone who can reach this machine can see the site at \(url)",
      help: "omit --host to serve this machine only")
  }

  fileprivate init(_ error: PreviewError) {
    switch error {
    case .portTaken(let port):
      self.init(
        .error, .portTaken, "port \(port) is already in use",
        help: "omit --port to use the next free port")
    case .noFreePort:
      self.init(
        .error, .portTaken, "cannot find a free port between 8080 and 8180",
        help: "use --port 0 for any free port")
    case .badHost(let host):
      self.init(
        .error, .badHost, "cannot listen on \(host.quoted)",
        note: "the address is not assigned to this machine",
        help: "specify an address, such as 127.0.0.1 or ::")
    case .missingLibrary(let reason):
      self.init(
        .error, .cannotServe, "cannot serve the site: libmicrohttpd cannot be loaded",
        note: reason, help: PreviewServer.libraryHelp)
    case .system(let call, let message):
      self.init(.error, .cannotServe, "cannot serve the site: \(call) failed", note: message)
    }
  }
}
