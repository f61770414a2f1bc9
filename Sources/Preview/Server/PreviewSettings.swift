/// Where a server listens, and what it grants its visitors.
package struct PreviewSettings: Sendable, Hashable {
  /// Nil: 127.0.0.1 and, where there is one, ::1.
  ///
  /// Else an address, or `0.0.0.0` and `::` for all.
  package var host: String?
  /// Nil: 8080, or the next one that is free.
  ///
  /// 0: any that is free.
  package var port: UInt16?
  /// How many connections may be open at once; whoever comes then is turned away.
  package var connections = 512
  /// How many of them may wait for events.
  package var streams = 64
  /// How long the head of a connection's first request may take.
  package var headTime = Duration.seconds(10)
  /// How long a connection may be idle, or a reader not read.
  package var idleTime = Duration.seconds(15)
  /// How long an answer may take, however large it is.
  package var sendTime = Duration.seconds(30)
  /// How many bytes of it a second must be read beyond that time.
  package var sendRate = 16 << 10
  /// How long a stream of events is silent before a comment shows that it lives.
  package var beat = Duration.seconds(15)

  package init(host: String? = nil, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// The same, with no more connections than there are descriptors for: each may have a file open.
  ///
  /// - Parameter descriptors: How many this process may have.
  /// - Returns: At least one connection.
  package func fitting(descriptors: Int) -> PreviewSettings {
    var settings = self
    // The others are for who watches, renders and writes.
    settings.connections = min(connections, max((descriptors - 128) / 2, 1))
    return settings
  }

  /// How long a reader may take for an answer of so many bytes.
  func timeToSend(_ size: Int) -> Duration {
    sendTime + .seconds(Double(size) / Double(max(sendRate, 1)))
  }
}

/// Why a server cannot start.
package enum PreviewError: Error, Sendable, Hashable {
  /// Somebody else listens there.
  case portTaken(UInt16)
  /// From 8080 to 8180 there is none.
  case noFreePort
  case badHost(String)
  /// A call failed: which, and what the system said.
  case system(call: String, message: String)
}
