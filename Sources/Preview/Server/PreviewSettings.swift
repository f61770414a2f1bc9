package import Files

/// Where a server listens, and its limits.
package struct PreviewSettings: Sendable, Hashable {
  /// An address, or `0.0.0.0` and `::` for all; nil is 127.0.0.1 and, if the machine has it, ::1.
  package var host: String?
  /// 0 is any free port; nil is 8080, or the next free one.
  package var port: UInt16?
  /// How many connections may be open at once; more are turned away.
  package var connections = 512
  /// How many of them may be streams of events.
  package var streams = 64
  /// How long the head of a connection's first request may take.
  package var headTime = Duration.seconds(10)
  /// How long a connection may be idle, or a client not read.
  package var idleTime = Duration.seconds(15)
  /// How long a client may take to read a reply of any size.
  package var sendTime = Duration.seconds(30)
  /// How many bytes a second the client must read beyond that time.
  package var sendRate = 16 << 10
  /// How long a stream of events is silent before a comment shows that it is alive.
  ///
  /// Shorter than `idleTime`, after which the library ends a silent connection.
  package var keepAlive = Duration.seconds(5)

  package init(host: String? = nil, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// The same, with at least one connection and no more than there are descriptors for.
  ///
  /// Each connection may have a file open; the watcher, renders and writes need the others.
  package func fitting(descriptors: Int) -> PreviewSettings {
    var settings = self
    settings.connections = min(connections, max((descriptors - 128) / 2, 1))
    return settings
  }

  /// How long a client may take to read a reply of so many bytes.
  func timeToSend(_ size: Int) -> Duration {
    sendTime + .seconds(Double(size) / Double(max(sendRate, 1)))
  }
}

package enum PreviewError: Error, Sendable, Hashable {
  case portTaken(UInt16)
  /// No port from 8080 to 8180 is free.
  case noFreePort
  case badHost(String)
  /// A call failed: which, and what the system said.
  case system(call: String, message: String)
}

package struct ServedSite: Sendable {
  /// It need not exist yet.
  package var folder: String
  /// Whether a relative path is a file of the site; no other file of the folder is served.
  package var names: @Sendable (_ path: String, _ folder: Folder) -> Bool

  package init(folder: String, names: @escaping @Sendable (String, Folder) -> Bool) {
    self.folder = folder
    self.names = names
  }
}
