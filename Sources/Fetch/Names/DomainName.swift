/// What may stand in a name of the name system, as far as we ask for it or connect to it.
enum DomainName {
  /// The labels of a name to ask for, in lower case; nil when it cannot be one.
  static func labels(_ name: String) -> [[UInt8]]? {
    guard (1...253).contains(name.utf8.count) else { return nil }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { $0.map(lowercased) }
    let isName = labels.allSatisfy { label in
      (1...63).contains(label.count)
        && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen || $0 == underscore }
    }
    return isName ? labels : nil
  }

  /// The spelling of a host; nil for anything that is none, such as a number.
  ///
  /// The last label begins with a letter, so that nothing reads the name as an address.
  static func host(_ labels: [[UInt8]]) -> String? {
    guard let last = labels.last?.first, isLetter(last) else { return nil }
    for label in labels {
      guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen,
        label.allSatisfy({ isLetter($0) || isDigit($0) || $0 == hyphen })
      else { return nil }
    }
    let name = labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    return name.utf8.count <= 253 ? name : nil
  }

  /// Names are the same whatever the case of their ASCII letters.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static let hyphen = UInt8(ascii: "-")
  private static let underscore = UInt8(ascii: "_")

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
