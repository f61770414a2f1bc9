import Fetch
import Foundation

/// Failure messages without URL paths, queries or text from the server.
package enum FetchMessages {
  static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
  }

  package static func time(_ time: Duration) -> String {
    let (seconds, rest) = time.components
    let tenths = seconds * 10 + rest / 100_000_000_000_000_000
    if tenths % 10 != 0 { return "\(tenths / 10).\(tenths % 10) seconds" }
    return tenths == 10 ? "1 second" : "\(tenths / 10) seconds"
  }

  package static func certificate(_ text: String) -> String {
    for (sign, words) in certificates where text.localizedCaseInsensitiveContains(sign) {
      return words
    }
    return "cannot establish a secure connection"
  }

  private static let certificates: [(String, String)] = [
    ("has expired", "the certificate has expired"),
    ("not yet valid", "the certificate is not valid yet"),
    ("self-signed", untrusted), ("self signed", untrusted), ("unable to get", untrusted),
    ("revoked", "the certificate is revoked"),
    ("subject name", otherHost), ("match", otherHost),
    ("error setting certificate", unreadable), ("certificate verify locations", unreadable),
    ("CAfile", unreadable),
    ("wrong version number", "it does not use TLS"),
    ("unsupported protocol", oldTLS), ("protocol version", oldTLS), ("legacy sigalg", oldTLS),
    ("reset by peer", cut), ("SYSCALL", cut), ("unexpected eof", cut),
    ("handshake failure", "the TLS handshake failed"),
    ("too weak", weak), ("too small", weak),
  ]

  private static let untrusted = "the certificate is not signed by a trusted authority"
  private static let otherHost = "the certificate is for a different host"
  private static let unreadable = "cannot read the trusted certificates"
  private static let oldTLS = "it offers only old versions of TLS"
  private static let cut = "the connection was closed during the TLS handshake"
  private static let weak = "the certificate is too weak"
}
