import Files
import Glibc

/// Serves a folder on loopback, and tells the pages that are open what has changed.
package final class PreviewServer: Sendable {
  /// Where people go: `http://127.0.0.1:8080/`.
  ///
  /// A number, since it means this machine wherever it is read; what `localhost` means, and which
  /// of its two addresses is tried first, is for the machine and the browser to say.
  package let url: String
  private let front: Front
  /// Nil when they have been stopped.
  private let daemons: Guarded<[Daemon]?>

  /// Listens when this returns.
  package init(
    _ settings: PreviewSettings, site: ServedSite, live: LiveChannel
  ) throws(PreviewError) {
    let listening = try Listening(settings)
    url = "http://\(PreviewServer.name(of: settings.host)):\(listening.port)/"
    let desk = Desk(site, KnownHosts(host: settings.host, port: listening.port), live)
    front = Front(settings, desk)
    daemons = Guarded([])
    var rest = listening.sockets[...]
    while let socket = rest.popFirst() {
      // The library closes a socket that it could not use.
      guard let daemon = Daemon(socket, front) else {
        for socket in rest { _ = close(socket) }
        stop()
        throw .system(call: "MHD_start_daemon", message: "the server cannot start")
      }
      daemons.withLock { $0?.append(daemon) }
    }
  }

  deinit {
    stop()
  }

  /// Ends every connection, and waits until nothing of it runs.
  ///
  /// Only who is just asked for a stand-in may take its time; nobody hears its answer.
  package func stop() {
    // Under the lock, so that a second one waits for the first.
    daemons.withLock { daemons in
      guard let running = daemons.take() else { return }
      front.close()
      for daemon in running { daemon.stop() }
    }
  }

  private static func name(of host: String?) -> String {
    guard let host, let address = KnownHosts.address(host),
      !address.allSatisfy({ $0 == 0 })
    else { return "127.0.0.1" }
    return address.count == 4 ? host : "[\(host)]"
  }
}
