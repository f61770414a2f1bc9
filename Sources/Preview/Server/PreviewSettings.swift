/// Where a server listens, and what it grants its visitors.
package struct PreviewSettings: Sendable, Hashable {
  /// Nil: 127.0.0.1 and, where there is one, ::1. Else an address, or `0.0.0.0` and `::` for all.
  package var host: String?
  /// Nil: 8080, or the next one that is free.
  package var port: UInt16?
  /// How many connections may be open at once.
  package var connections = 512

  package init(host: String? = nil, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }
}

/// Why a server cannot start.
package enum PreviewError: Error, Sendable, Hashable {
  /// Somebody else listens there.
  case portTaken(UInt16)
  /// From 8080 on there is none.
  case noFreePort
  case badHost(String)
  /// A call failed: which, and what the system said.
  case system(call: String, message: String)
}
