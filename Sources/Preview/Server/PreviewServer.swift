import Files
import Foundation
import Glibc

/// Serves a folder on loopback, and tells open pages what has changed.
package final class PreviewServer: Sendable {
  /// Where pages are: `http://127.0.0.1:8080/`.
  ///
  /// A number, since what `localhost` means depends on the machine and the browser.
  package let url: String
  private let state: ServerState
  /// Nil once the server has stopped.
  private let daemons = Guarded<[Daemon]?>([])

  /// Listens when this returns.
  package init(
    _ settings: PreviewSettings, site: ServedSite, live: LiveChannel
  ) throws(PreviewError) {
    let listening = try ListeningSockets(settings)
    let hosts = AllowedHosts(host: settings.host, port: listening.port)
    url = "http://\(hosts.nameToShow):\(listening.port)/"
    do throws(FileError) {
      state = try ServerState(settings, RequestHandler(site, hosts, live))
    } catch {
      for socket in listening.sockets { _ = close(socket) }
      throw .system(call: "pthread_create", message: error.explanation)
    }
    var rest = listening.sockets[...]
    while let socket = rest.popFirst() {
      // The library closes a socket that it cannot use.
      guard let daemon = Daemon(socket, state) else {
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

  /// Ends every connection and every thread; a running fallback is not waited for.
  package func stop() {
    // Under the lock, so that a second call waits for the first.
    daemons.withLock { daemons in
      guard let running = daemons.take() else { return }
      state.close()
      for daemon in running { daemon.stop() }
    }
  }
}

/// What all listening sockets of a server share.
final class ServerState: Sendable {
  let settings: PreviewSettings
  let handler: RequestHandler
  let connections: Connections
  /// Asks for files that the folder does not have: enough threads that one slow file does not hold
  /// up quick ones.
  let fallbacks: ThreadPool
  /// Makes large texts: few threads, since each takes a core and several times the text's memory.
  let largeTexts: ThreadPool
  private let isClosing = DispatchSemaphore(value: 0)
  private let hasClosed = DispatchSemaphore(value: 0)

  init(_ settings: PreviewSettings, _ handler: RequestHandler) throws(FileError) {
    let settings = settings.fitting(descriptors: DescriptorLimit.raise())
    self.settings = settings
    self.handler = handler
    connections = Connections(settings)
    fallbacks = try ThreadPool(name: "preview", threads: 8)
    largeTexts = try ThreadPool(name: "preview", threads: 2)
    try startDeadlineThread()
  }

  /// Its own thread, so that no job can delay it.
  private func startDeadlineThread() throws(FileError) {
    let step = min(
      .seconds(1), settings.headTime / 4, settings.idleTime / 4, settings.keepAlive / 4)
    let pause = max(step, .milliseconds(10)).dispatchInterval
    try OwnThread.start("deadlines") { [connections, isClosing, hasClosed] in
      while isClosing.wait(timeout: .now() + pause) == .timedOut {
        connections.checkDeadlines(at: .now)
      }
      hasClosed.signal()
    }
  }

  /// Called once; does not wait for running jobs.
  func close() {
    connections.close()
    fallbacks.close()
    largeTexts.close()
    isClosing.signal()
    hasClosed.wait()
  }
}
