/// Escaping of text for HTML and XML, in elements and in quoted attributes.
package enum Markup {
  package static func append(_ text: String, to output: inout [UInt8]) {
    let bytes = text.utf8
    guard hasSpecial(text.utf8Span.span) else {
      output.append(contentsOf: bytes)
      return
    }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
      default: output.append(byte)
      }
    }
  }

  package static func escaped(_ text: String) -> String {
    guard hasSpecial(text.utf8Span.span) else { return text }
    var output: [UInt8] = []
    append(text, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private static func hasSpecial(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where isSpecial(text[index]) { return true }
    return false
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}

package enum Percent {
  /// Encodes all bytes that are not allowed; `keepingEscapes` preserves existing percent escapes.
  package static func encoded(
    _ bytes: some Collection<UInt8>, keepingEscapes: Bool = false, where isAllowed: (UInt8) -> Bool
  ) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let isEscape =
        keepingEscapes && byte == UInt8(ascii: "%")
        && rest.prefix(2).count(where: \.isHexDigit) == 2
      if isEscape || isAllowed(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        Hex.append(byte, to: &output, .upper)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns whether a byte never needs to be escaped in a URL (RFC 3986, 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
  }

  /// Decodes percent escapes; returns nil if a `%` is not followed by two hex digits.
  package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.underestimatedCount)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else {
        return nil
      }
      output.append(high << 4 | low)
    }
    return output
  }
}

package enum CSSName {
  /// Returns a class name; replaces each byte outside `[a-z0-9-]` with `_` and two hex digits.
  package static func escaped(_ name: String) -> String {
    var output: [UInt8] = []
    for byte in name.utf8 {
      if byte.isASCIIDigit || byte &- 0x61 < 26 || byte == UInt8(ascii: "-") {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "_"))
        Hex.append(byte, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns a unique URL path segment or HTML id for any text.
  package static func segment(_ text: String) -> String {
    let escaped = escaped(text)
    // Escaped text never begins with `__` or ends with `_`, so names cannot collide.
    return escaped.utf8.count <= 64 ? portable(escaped) : "__" + Digest(of: text).hex
  }

  /// Adds a suffix to Windows device names, which Windows does not allow as folder names.
  package static func portable(_ name: String) -> String {
    windowsDevices.contains(name) ? name + "_" : name
  }

  package static let windowsDevices = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })
}
