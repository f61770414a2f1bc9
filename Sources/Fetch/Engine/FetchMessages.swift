import Foundation

/// What failures are called; never with a path or a query in it, nor with words of the far end.
package enum FetchMessages {
  static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
  }

  /// `5 seconds`, `0.5 seconds`.
  package static func time(_ time: Duration) -> String {
    let (seconds, rest) = time.components
    let tenths = seconds * 10 + rest / 100_000_000_000_000_000
    if tenths % 10 != 0 { return "\(tenths / 10).\(tenths % 10) seconds" }
    return tenths == 10 ? "1 second" : "\(tenths / 10) seconds"
  }

  /// What is wrong with a certificate, by what libcurl and OpenSSL say of it.
  package static func certificate(_ text: String) -> String {
    for (sign, words) in certificates where text.localizedCaseInsensitiveContains(sign) {
      return words
    }
    return "no secure connection could be made"
  }

  private static let certificates = [
    ("has expired", "the certificate has expired"),
    ("not yet valid", "the certificate is not valid yet"),
    ("self-signed", "the certificate is signed by nobody who is trusted"),
    ("self signed", "the certificate is signed by nobody who is trusted"),
    ("unable to get", "the certificate is signed by nobody who is trusted"),
    ("revoked", "the certificate is revoked"),
    ("subject name", "the certificate is for another host"),
    ("match", "the certificate is for another host"),
    ("error setting certificate", "the certificates that are to be trusted cannot be read"),
    ("certificate verify locations", "the certificates that are to be trusted cannot be read"),
    ("CAfile", "the certificates that are to be trusted cannot be read"),
    ("wrong version number", "it does not speak TLS"),
    ("unsupported protocol", "it speaks no version of TLS that is safe"),
    ("protocol version", "it speaks no version of TLS that is safe"),
    ("legacy sigalg", "it speaks no version of TLS that is safe"),
    ("reset by peer", "the connection ended before it was secure"),
    ("SYSCALL", "the connection ended before it was secure"),
    ("unexpected eof", "the connection ended before it was secure"),
    ("handshake failure", "no common way to encrypt was found"),
    ("too weak", "the certificate is too weak"),
    ("too small", "the certificate is too weak"),
  ]
}
