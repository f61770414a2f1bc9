package import Glibc

package enum InternetAddress: Hashable, Sendable {
  case v4(UInt32)
  case v6(UInt64, UInt64)

  /// Parses an IPv4 address, or an IPv6 address with or without brackets.
  package init?(_ text: some StringProtocol) {
    var text = String(text)
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    // `inet_pton` would stop at a zero byte.
    if text.utf8.contains(0) { return nil }
    var four = in_addr()
    var six = in6_addr()
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      self = .v4(UInt32(bigEndian: four.s_addr))
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
      self = InternetAddress(six)
    } else {
      return nil
    }
  }

  /// Reads a socket address of `count` bytes; returns nil if it is neither IPv4 nor IPv6.
  package init?(_ address: UnsafePointer<sockaddr>, count: Int) {
    // Check `count`, because the address family does not guarantee the size.
    let bytes = unsafe UnsafeRawBufferPointer(start: address, count: count)
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET where count >= MemoryLayout<sockaddr_in>.size:
      let whole = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
      self = .v4(UInt32(bigEndian: whole.sin_addr.s_addr))
    case AF_INET6 where count >= MemoryLayout<sockaddr_in6>.size:
      self = InternetAddress(unsafe bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
    default: return nil
    }
  }

  private init(_ six: in6_addr) {
    self = unsafe withUnsafeBytes(of: six) { bytes in
      .v6(
        UInt64(bigEndian: unsafe bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  var width: Int {
    switch self {
    case .v4: 32
    case .v6: 128
    }
  }

  func masked(_ bits: Int) -> InternetAddress {
    switch self {
    // Swift's smart shift yields zero if the shift exceeds the width.
    case .v4(let number): .v4(number & ~(UInt32.max >> bits))
    case .v6(let high, let low):
      .v6(high & ~(UInt64.max >> bits), low & ~(UInt64.max >> max(bits - 64, 0)))
    }
  }
}

extension InternetAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .v4(let number):
      return [24, 16, 8, 0].map { String((number >> $0) & 255) }.joined(separator: ".")
    case .v6(let high, let low):
      var address = in6_addr()
      unsafe withUnsafeMutableBytes(of: &address) { bytes in
        unsafe bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
        unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      _ = unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}

/// A CIDR range, such as `10.0.0.0/8` or `fd00::/8`; a bare address is a range of one address.
package struct NetworkRange: Hashable, Sendable {
  private let first: InternetAddress
  private let bits: Int

  /// Parses a range; returns nil if bits after the prefix are set, as in `10.1.0.0/8`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, !text.hasPrefix("["), let first = InternetAddress(parts[0]) else {
      return nil
    }
    var bits = first.width
    if parts.count == 2 {
      guard (1...3).contains(parts[1].utf8.count),
        parts[1].utf8.allSatisfy(\.isASCIIDigit), let number = Int(parts[1]),
        number <= first.width, first.masked(number) == first
      else { return nil }
      bits = number
    }
    self.first = first
    self.bits = bits
  }

  package func contains(_ address: InternetAddress) -> Bool {
    address.width == first.width && address.masked(bits) == first
  }
}

package struct HostAndPort {
  /// The host, including the brackets around an IPv6 address.
  package let host: Substring
  package let port: Substring?

  /// Returns nil if a closing bracket is followed by something other than a port.
  package init?(_ text: some StringProtocol) {
    let text = Substring(text)
    var end = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    if text.utf8.first == UInt8(ascii: "["), let close = text.utf8.firstIndex(of: UInt8(ascii: "]"))
    {
      let next = text.utf8.index(after: close)
      guard next == text.endIndex || text.utf8[next] == UInt8(ascii: ":") else { return nil }
      end = next == text.endIndex ? nil : next
    }
    host = text[..<(end ?? text.endIndex)]
    port = end.map { Substring(text.utf8[$0...].dropFirst()) }
  }

  package static func port(_ digits: some StringProtocol) -> UInt16? {
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isASCIIDigit),
      let port = UInt16(digits), port > 0
    else { return nil }
    return port
  }
}

package enum HostName {
  package static let limit = 253

  package static func isValid(_ name: some StringProtocol) -> Bool {
    var labels = Substring(name).utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let hasRoot = labels.count > 1 && labels.last?.isEmpty == true
    if hasRoot { labels.removeLast() }
    return name.utf8.count <= (hasRoot ? 254 : 253)
      && labels.allSatisfy { label in
        (1...63).contains(label.count)
          && label.allSatisfy {
            $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          }
      }
  }

  package static func isBracketedAddress(_ host: some StringProtocol) -> Bool {
    if host.hasPrefix("["), case .v6? = InternetAddress(host) { true } else { false }
  }
}
