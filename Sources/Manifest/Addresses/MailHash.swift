import Fetch
import Store

/// What avatar services know a mail address by.
struct MailHash: Hashable, Sendable {
  var digest: Digest
  /// Behind the `@`; empty when only a digest was given.
  var domain: String

  /// Of a mail address, or of the 64 digits of its SHA-256 for who does not want to write it down.
  static func read(_ text: String) -> Result<MailHash, FetchFailure> {
    let mail = String(text.trimmed).lowercased()
    if let digest = Digest(hex: mail) { return .success(MailHash(digest: digest, domain: "")) }
    guard mail.utf8.count <= longest else { return failure("longer than \(longest) bytes") }
    guard !mail.unicodeScalars.contains(where: \.isBlankOrControl) else {
      return failure("a space or a control character in it")
    }
    let parts = mail.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      return failure("nor the 64 digits of its SHA-256")
    }
    return .success(MailHash(digest: Digest(of: mail), domain: String(parts[1])))
  }

  /// What SMTP takes (RFC 5321, 4.5.3.1.3, without the brackets).
  private static let longest = 254

  private static func failure(_ detail: String) -> Result<MailHash, FetchFailure> {
    .failure(FetchFailure(.badAddress, "no mail address, \(detail)"))
  }
}

extension String {
  /// Without white space at both ends.
  fileprivate var trimmed: Substring.UnicodeScalarView {
    var scalars = self[...].unicodeScalars
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars
  }
}

extension Unicode.Scalar {
  /// Nothing that a mail address or a URL can have in it.
  var isBlankOrControl: Bool {
    properties.isWhitespace || properties.generalCategory == .control
  }
}
