import Bytes

/// What a `Cache-Control` field says to a private cache (RFC 9111, 5.2).
///
/// A field that breaks the grammar counts as `no-cache`.
package struct CacheControl: Hashable, Sendable {
  package private(set) var noStore = false
  /// Also when it names fields, which is stricter than needed.
  package private(set) var noCache = false
  /// In seconds, the smallest of several; 0 for what is no number.
  package private(set) var maxAge: Int64?

  /// Reads all lines of the field as one list.
  package init(_ text: String?) {
    guard let text else { return }
    var scanner = Scanner(bytes: Array(text.utf8))
    while scanner.skipToElement() {
      guard let (name, value) = scanner.directive() else {
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

private struct Scanner {
  let bytes: [UInt8]
  var position = 0

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = next, condition(byte) { position += 1 }
  }

  /// Skips to the next element of the list; false at the end.
  mutating func skipToElement() -> Bool {
    skip { $0.isASCIIBlank || $0 == UInt8(ascii: ",") }
    return next != nil
  }

  /// A name in lower case and its value; nil when the grammar is broken.
  mutating func directive() -> (name: String, value: String?)? {
    guard let name = token() else { return nil }
    var value: String?
    if next == UInt8(ascii: "=") {
      position += 1
      value = next == quote ? quoted() : token()
      guard value != nil else { return nil }
    }
    skip(while: \.isASCIIBlank)
    guard next == nil || next == UInt8(ascii: ",") else { return nil }
    return (name.lowercased(), value)
  }

  private mutating func token() -> String? {
    let start = position
    skip(while: \.isHTTPTokenByte)
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private mutating func quoted() -> String? {
    var text: [UInt8] = []
    position += 1
    while var byte = next, byte != quote {
      if byte == UInt8(ascii: "\\") {
        position += 1
        guard let escaped = next else { return nil }
        byte = escaped
      }
      text.append(byte)
      position += 1
    }
    guard next == quote else { return nil }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }
}

private let quote = UInt8(ascii: "\"")
