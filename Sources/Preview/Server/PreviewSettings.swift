package import Files

package struct PreviewSettings: Sendable, Hashable {
  /// The address to listen on; nil means 127.0.0.1 and ::1, and `0.0.0.0` or `::` means all.
  package var host: String?
  /// The port to listen on; 0 means any free port, and nil means 8080 or the next free port.
  package var port: UInt16?
  package var connections = 512
  /// The maximum number of event streams, which also count as connections.
  package var streams = 64
  /// The time limit for receiving the header of a connection's first request.
  package var headTime = Duration.seconds(10)
  /// The time limit for an idle connection, and for a client that does not read.
  package var idleTime = Duration.seconds(15)
  /// The base time limit for sending a reply.
  package var sendTime = Duration.seconds(30)
  /// The minimum sending rate in bytes per second; large replies get more time accordingly.
  package var sendRate = 16 << 10
  /// The interval between keep-alive comments, which must be shorter than `idleTime`.
  package var keepAlive = Duration.seconds(5)

  package init(host: String? = nil, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// Limits connections so that enough descriptors remain for files, the watcher and rendering.
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
  case missingLibrary(String)
  case system(call: String, message: String)
}

package struct ServedSite: Sendable {
  /// The output folder, which may not exist yet.
  package var folder: String
  /// Whether a relative path names a file in the site; only such files are served.
  package var names: @Sendable (_ path: String, _ folder: Folder) -> Bool

  package init(folder: String, names: @escaping @Sendable (String, Folder) -> Bool) {
    self.folder = folder
    self.names = names
  }
}
