import Fetch
import Testing
import Transfers

@Suite struct FetchMessagesTests {
  /// Messages observed from libcurl 7.88 and OpenSSL 3.
  @Test(arguments: [
    ("SSL certificate problem: certificate has expired", "the certificate has expired"),
    (
      "SSL: no alternative certificate subject name matches target host name 'localhost'",
      "the certificate is for a different host"
    ),
    (
      "SSL certificate problem: self-signed certificate",
      "the certificate is not signed by a trusted authority"
    ),
    (
      "SSL certificate problem: unable to get local issuer certificate",
      "the certificate is not signed by a trusted authority"
    ),
    (
      "OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number",
      "it does not use TLS"
    ),
    (
      "OpenSSL/3.0.22: error:0A00014D:SSL routines::legacy sigalg disallowed or unsupported",
      "it offers only old versions of TLS"
    ),
    (
      "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:8443 ",
      "the connection was closed during the TLS handshake"
    ),
    (
      "error setting certificate file: /nowhere",
      "cannot read the trusted certificates"
    ),
    ("person@example.org", "cannot establish a secure connection"),
    ("", "cannot establish a secure connection"),
  ]) func `TLS errors are translated into plain messages`(text: String, words: String) {
    #expect(FetchMessages.certificate(text) == words)
  }

  @Test func `durations are rounded to tenths of a second`() {
    #expect(FetchMessages.time(.seconds(1)) == "1 second")
    #expect(FetchMessages.time(.seconds(15)) == "15 seconds")
    #expect(FetchMessages.time(.milliseconds(1500)) == "1.5 seconds")
    #expect(FetchMessages.time(.milliseconds(20)) == "0 seconds")
  }
}
