package import Files

package struct PreviewSettings: Sendable, Hashable {
  /// The address to use (`0.0.0.0` or `::` for all); nil for 127.0.0.1 and, if available, ::1.
  package var host: String?
  /// The port, or 0 for any free port; nil for 8080 or the next free one.
  package var port: UInt16?
  /// The connection limit; further connections are rejected.
  package var connections = 512
  /// The limit for event streams, which also count as connections.
  package var streams = 64
  /// The timeout for the header of a connection's first request.
  package var headTime = Duration.seconds(10)
  /// The timeout for an idle connection or a client that does not read.
  package var idleTime = Duration.seconds(15)
  /// The base time limit for sending a reply.
  package var sendTime = Duration.seconds(30)
  /// The minimum rate for replies that take longer, in bytes per second.
  package var sendRate = 16 << 10
  /// The interval between keep-alive comments in an event stream.
  ///
  /// Must be shorter than `idleTime`, after which the library closes a silent connection.
  package var keepAlive = Duration.seconds(5)

  package init(host: String? = nil, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// Limits connections to the available file descriptors, but allows at least one connection.
  ///
  /// Each connection may open a file. The watcher, renders and writes also need descriptors.
  package func fitting(descriptors: Int) -> PreviewSettings {
    var settings = self
    settings.connections = min(connections, max((descriptors - 128) / 2, 1))
    return settings
  }

  func timeToSend(_ size: Int) -> Duration {
    sendTime + .seconds(Double(size) / Double(max(sendRate, 1)))
  }
}

package enum PreviewError: Error, Sendable, Hashable {
  case portTaken(UInt16)
  case noFreePort
  case badHost(String)
  case system(call: String, message: String)
}

package struct ServedSite: Sendable {
  /// The output folder, which may not exist yet.
  package var folder: String
  /// Whether a relative path is a file in the site; only these files are served.
  package var names: @Sendable (_ path: String, _ folder: Folder) -> Bool

  package init(folder: String, names: @escaping @Sendable (String, Folder) -> Bool) {
    self.folder = folder
    self.names = names
  }
}
