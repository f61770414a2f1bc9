import Bytes

/// What a `Cache-Control` field says to a private cache (RFC 9111, 5.2).
///
/// A field that breaks the grammar counts as `no-cache`.
package struct CacheControl: Hashable, Sendable {
  package private(set) var noStore = false
  /// Also when it names fields, which is stricter than needed.
  package private(set) var noCache = false
  /// In seconds, the smallest of several; 0 for anything but a number.
  package private(set) var maxAge: Int64?

  /// Reads all lines of the field as one list.
  package init(_ text: String?) {
    guard let text else { return }
    var rest = Array(text.utf8)[...]
    while true {
      rest = rest.drop { $0.isASCIIBlank || $0 == UInt8(ascii: ",") }
      if rest.isEmpty { return }
      guard let (name, value) = Self.directive(&rest) else {
        noCache = true
        return
      }
      switch name {
      case "no-store": noStore = true
      case "no-cache": noCache = true
      case "max-age": maxAge = min(maxAge ?? .max, DeltaSeconds.read(value ?? "") ?? 0)
      default: break
      }
    }
  }

  /// A name in lower case and its value; nil when the grammar is broken.
  private static func directive(
    _ rest: inout ArraySlice<UInt8>
  ) -> (name: String, value: String?)? {
    guard let name = token(&rest) else { return nil }
    var value: String?
    if rest.first == UInt8(ascii: "=") {
      rest.removeFirst()
      value = rest.first == quote ? quoted(&rest) : token(&rest)
      guard value != nil else { return nil }
    }
    rest = rest.drop(while: \.isASCIIBlank)
    guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    return (name.lowercased(), value)
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String? {
    let token = rest.prefix(while: \.isHTTPTokenByte)
    rest = rest.dropFirst(token.count)
    return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "\"")

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
    var text: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      text.append(escaped)
    }
    return nil
  }
}

/// A number of seconds as HTTP writes it.
package enum DeltaSeconds {
  /// Larger numbers count as this (RFC 9111, 1.2.2).
  package static let largest: Int64 = 1 << 31

  package static func read(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty else { return nil }
    var seconds: Int64 = 0
    for byte in text.utf8 {
      guard byte.isASCIIDigit else { return nil }
      seconds = min(largest, seconds * 10 + Int64(byte - UInt8(ascii: "0")))
    }
    return seconds
  }
}
