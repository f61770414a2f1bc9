import Glibc

/// The names under which this server is asked.
///
/// A page of another site can have its own name lead to this machine (DNS rebinding), and would then
/// read what is served here. Its browser still says that name, so only names that nobody else can
/// have are answered: `localhost`, addresses of the loopback, and what the user has listened on.
struct KnownHosts: Sendable {
  let port: UInt16
  /// The address that was given, as bytes; nil for loopback.
  private let given: [UInt8]?

  /// - Parameters:
  ///   - host: What was listened on; nil for loopback.
  ///   - port: What a visitor must name; only 80 may be left out.
  init(host: String?, port: UInt16) {
    self.port = port
    given = host.flatMap(KnownHosts.address)
  }

  /// Checks the Host headers of a request.
  func check(_ values: [String]) throws(Refusal) {
    guard values.count == 1, let value = values.first else { throw .badHost }
    guard let (name, port) = KnownHosts.parts(of: value) else { throw .badHost }
    guard port == self.port, isKnown(name) else { throw .foreignHost }
  }

  /// Whether an Origin header names a page of this server.
  func isOurs(origin: String) -> Bool {
    let scheme = "http://"
    guard origin.hasPrefix(scheme) else { return false }
    return (try? check([String(origin.dropFirst(scheme.count))])) != nil
  }

  private func isKnown(_ name: Substring) -> Bool {
    let name = name.lowercased()
    if name == "localhost" { return true }
    let isBracketed = name.hasPrefix("[")
    guard let bytes = KnownHosts.address(isBracketed ? String(name.dropFirst().dropLast()) : name),
      isBracketed == (bytes.count == 16)
    else { return false }
    if KnownHosts.isLoopback(bytes) { return true }
    guard let given else { return false }
    // No name resolves to a literal, so with all addresses open any of them is fine.
    return given.allSatisfy { $0 == 0 } || given == bytes
  }

  static func isLoopback(_ address: [UInt8]) -> Bool {
    address.count == 4 ? address[0] == 127 : address == Array(repeating: 0, count: 15) + [1]
  }

  /// The name, with its brackets, and the port; nil for what is no Host.
  private static func parts(of value: String) -> (name: Substring, port: UInt16)? {
    let bytes = value.utf8
    guard !bytes.isEmpty, bytes.count <= 255,
      bytes.allSatisfy({ byte in
        byte > 0x20 && byte < 0x7f && !"/\\@?#,;\"<>%^`{|}".utf8.contains(byte)
      })
    else { return nil }
    let end: String.Index
    if value.hasPrefix("[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bytes.index(after: bracket)
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    }
    guard end > value.startIndex else { return nil }
    if end == value.endIndex { return (value[...], 80) }
    let digits = value[end...].dropFirst()
    guard value[end] == ":", (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(digits)
    else { return nil }
    return (value[..<end], port)
  }

  /// Four or sixteen bytes, or nil for what is no literal.
  ///
  /// The corresponding C function is `inet_pton`.
  static func address(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes: [UInt8] = Array(repeating: 0, count: count)
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
