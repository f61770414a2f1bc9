import CMicroHTTPD
import Files
import Foundation
import Glibc

/// libmicrohttpd, loaded when the first server starts.
nonisolated(unsafe) let mhd = mhd_load()

/// A server for a folder, which notifies open pages of changes.
///
/// Each connection uses a separate thread, which may block.
package final class PreviewServer: Sendable {
  /// The base URL, which avoids `localhost` because machines and browsers resolve it differently.
  package let url: String
  private let state: ServerState
  /// The daemons, one per socket; nil after the server has stopped.
  private let daemons = Locked<[Daemon]?>([])

  package init(
    _ settings: PreviewSettings, site: ServedSite, live: LiveChannel
  ) throws(PreviewError) {
    if let reason = Self.missingLibrary() { throw .missingLibrary(reason) }
    let settings = settings.fitting(descriptors: DescriptorLimit.raise())
    let listening = try ListeningSockets(settings)
    let hosts = AllowedHosts(host: settings.host, port: listening.port)
    url = hosts.url
    state = ServerState(RequestHandler(site: site, hosts: hosts, live: live, settings: settings))
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

  package static let libraryHelp = "install it: apt install libmicrohttpd12"

  /// Returns the reason why libmicrohttpd cannot be used; nil if it can.
  package static func missingLibrary() -> String? {
    guard unsafe mhd.start_daemon == nil else { return nil }
    return unsafe dlerror().map { unsafe String(cString: $0) } ?? "a function is missing"
  }

  package func stop() {
    // The lock makes a second call wait for the first.
    daemons.withLock { daemons in
      guard let running = daemons.take() else { return }
      state.close()
      for daemon in running { daemon.stop() }
    }
  }
}

private final class ServerState: Sendable {
  let handler: RequestHandler
  let connections: Connections
  private let isClosing = DispatchSemaphore(value: 0)

  init(_ handler: RequestHandler) {
    self.handler = handler
    let settings = handler.settings
    connections = Connections(limit: settings.connections)
    let step = min(.seconds(1), settings.headTime / 4, settings.idleTime / 4)
    let pause = max(step, .milliseconds(10)) / .seconds(1)
    DispatchQueue(label: "sitegen.deadlines").async { [connections, isClosing] in
      while isClosing.wait(timeout: .now() + pause) == .timedOut { connections.checkDeadlines() }
    }
  }

  func close() {
    handler.live.close()
    isClosing.signal()
  }
}

@safe
private final class Daemon: @unchecked Sendable {
  // `@unchecked Sendable`: the pointer never changes, and the owner calls `stop` only once.
  private let daemon: OpaquePointer
  /// Keeps the state alive, because the library's threads do not retain it.
  private let state: ServerState

  init?(_ socket: Int32, _ state: ServerState) {
    let settings = state.handler.settings
    // At its own limit, the library makes clients wait, so `Connections` must reject them earlier.
    // Each connection has 32 KiB for the headers of a request and its reply.
    let daemon = unsafe sitegen_mhd_start(
      mhd, socket, UInt32(settings.connections + 1), 32 << 10,
      UInt32(max(settings.idleTime.components.seconds, 1)),
      Daemon.accept, Daemon.handle, Daemon.notify, Daemon.complete,
      Unmanaged.passUnretained(state).toOpaque())
    guard let daemon = unsafe daemon else { return nil }
    unsafe self.daemon = daemon
    self.state = state
  }

  func stop() {
    unsafe mhd.stop_daemon(daemon)
  }

  private static let accept: MHD_AcceptPolicyCallback = { state, _, _ in
    guard let state = unsafe state else { return .NO }
    return unsafe shared(state).connections.makeRoom() ? .YES : .NO
  }

  private static let notify: MHD_NotifyConnectionCallback = { state, connection, _, event in
    guard let state = unsafe state, let connection = unsafe connection else { return }
    let socket = unsafe sitegen_mhd_socket(mhd, connection)
    let server = unsafe shared(state)
    if event == .CONNECTION_NOTIFY_STARTED {
      server.connections.enter(.waiting(server.handler.settings.headTime), on: socket)
    } else {
      server.connections.closed(socket)
    }
  }

  /// The library calls this once after a request's header, and again when the request is complete.
  private static let handle: MHD_AccessHandlerCallback = {
    state, connection, target, method, _, _, _, mark in
    guard let state = unsafe state, let connection = unsafe connection,
      let target = unsafe target, let method = unsafe method, let mark = unsafe mark
    else { return .NO }
    let request = unsafe Request(
      connection, method: String(cString: method), target: String(cString: target))
    let isFirstCall = unsafe mark.pointee == nil
    unsafe mark.pointee = state
    // A reply in the first call makes the library discard further input on the connection, which is
    // necessary only for ambiguous requests.
    if isFirstCall, !request.isUnclear { return .YES }
    let socket = unsafe sitegen_mhd_socket(mhd, connection)
    let server = unsafe shared(state)
    let reply = server.handler.reply(to: request, on: socket)
    server.connections.enter(
      reply.size.map { .reading(server.handler.settings.timeToSend($0)) } ?? .streaming,
      on: socket)
    return unsafe reply.send(on: connection) ? .YES : .NO
  }

  private static let complete: MHD_RequestCompletedCallback = { state, connection, _, _ in
    guard let state = unsafe state, let connection = unsafe connection else { return }
    let server = unsafe shared(state)
    server.connections.enter(
      .waiting(server.handler.settings.idleTime), on: unsafe sitegen_mhd_socket(mhd, connection))
  }

  private static func shared(_ state: UnsafeMutableRawPointer) -> ServerState {
    unsafe Unmanaged<ServerState>.fromOpaque(state).takeUnretainedValue()
  }
}
