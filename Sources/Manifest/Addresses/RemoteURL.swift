import Fetch

/// Addresses of the web as people write them, and as we ask for them.
enum RemoteURL {
  /// Of an address, as written and as asked for.
  private static let longest = 2048

  /// The one spelling of an address: ASCII, scheme and host in lower case, no fragment.
  static func normalize(scheme: String, rest: String) -> Result<String, FetchFailure> {
    guard rest.utf8.starts(with: "//".utf8) else { return failure("no host in it") }
    guard scheme.utf8.count + 1 + rest.utf8.count <= longest else { return tooLong }
    guard !rest.unicodeScalars.contains(where: \.isBlankOrControl) else {
      return failure("a space or a control character in it")
    }
    // `\` is a `/` to some and not to others: nobody could say which host is meant.
    guard !rest.utf8.contains(UInt8(ascii: "\\")) else { return failure("a backslash in it") }
    let bytes = rest.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "#") }
    let authority = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.contains(UInt8(ascii: "@")) else {
      return failure("a user or a password in it")
    }
    return host(String(decoding: authority, as: UTF8.self), scheme: scheme).flatMap { host in
      var path = escaped(bytes.dropFirst(authority.count))
      if !path.hasPrefix("/") { path = "/" + path }
      let url = scheme + "://" + host + path
      return url.utf8.count <= longest ? .success(url) : tooLong
    }
  }

  /// Without its query, and without any part of its path that may be a mail address.
  static func spelling(of url: String) -> String {
    let bare = url.prefix { $0 != "?" && $0 != "#" }
    let parts = bare.split(separator: "/", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index > 2 && mayTellAMail(part) ? "…" : String(part)
    }.joined(separator: "/")
  }

  /// Whether there is an `@` in it, however often it is escaped.
  private static func mayTellAMail(_ part: Substring) -> Bool {
    var part = part.lowercased()
    while let range = part.firstRange(of: "%25") { part.replaceSubrange(range, with: "%") }
    return ["@", "%40", "%ef%bc%a0", "%ef%b9%ab"].contains { part.contains($0) }
  }

  // MARK: - Parts

  /// The host in lower case, with its port where that is not the scheme's.
  private static func host(_ authority: String, scheme: String) -> Result<String, FetchFailure> {
    let text = authority.lowercased()
    // Behind the bracket of an IPv6 address there is no colon but that of the port.
    let end = text.firstIndex(of: "]").map { text.index(after: $0) }
    let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":")
    let name = text[..<(colon ?? text.endIndex)]
    guard !name.isEmpty else { return failure("no host in it") }
    guard isHost(name) else { return failure("its host is not the name of one in ASCII") }
    guard let colon, text.index(after: colon) < text.endIndex else { return .success(String(name)) }
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.utf8.count <= 5,
      let port = UInt16(digits), port > 0
    else { return failure("its port is none") }
    let usual = scheme == "https" ? 443 : 80
    return .success(port == usual ? String(name) : "\(name):\(port)")
  }

  private static func isHost(_ name: Substring) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      let address = name.utf8.dropFirst().dropLast()
      return address.contains(UInt8(ascii: ":"))
        && address.allSatisfy {
          $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
    }
    var labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return name.utf8.count <= 254
      && labels.allSatisfy { label in
        (1...63).contains(label.count)
          && label.allSatisfy {
            $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          }
      }
  }

  /// Path and query as they are sent: what no address can have in it is escaped, as browsers do.
  private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      if byte < 0x80, !"\"<>^`{|}".utf8.contains(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: - Failures

  private static var tooLong: Result<String, FetchFailure> {
    failure("longer than \(longest) bytes")
  }

  private static func failure(_ detail: String) -> Result<String, FetchFailure> {
    .failure(FetchFailure(.badAddress, detail))
  }
}
