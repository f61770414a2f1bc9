/// Addresses that begin alike: `10.0.0.0/8`, `fd00::/8`; a bare address is one of itself.
package struct NetworkRange: Hashable, Sendable {
  private let first: InternetAddress
  private let bits: Int

  /// Nil for anything else, and when there are bits behind those that count, as in `10.1.0.0/8`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, !text.hasPrefix("["), let first = InternetAddress(parts[0]) else {
      return nil
    }
    var bits = first.width
    if parts.count == 2 {
      guard (1...3).contains(parts[1].utf8.count),
        parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]),
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
