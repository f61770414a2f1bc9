import Bytes

/// Names for texts that programs, compilers and disks all take.
///
/// - A name has small ASCII letters, digits and `_`, at most 64 bytes, and begins with a letter or
///   `_`. So it is a Swift identifier (or a keyword), an Android resource, and a file on disks that
///   do not tell `A` from `a`; names of Windows' devices are avoided.
/// - Capitals become small, and whatever else is not allowed becomes one `_`, at the ends none.
/// - A text with other characters than ASCII, or that is too long, gets `_` and 8 digits of its
///   SHA-256, so that its name depends on nothing else. So do all texts whose names would be equal;
///   their order decides nothing. Where 8 digits are equal too, the name has more of them.
/// - Canonically equivalent texts are one text.
package struct ResourceNames: Sendable {
  /// One for each text, in their order.
  package let all: [String]

  /// Equal texts get one name, and none gets a reserved one.
  package init(_ texts: [String], reserved: Set<String> = []) {
    let taken = CSSName.windowsDevices.union(reserved)
    var candidates: [Candidate] = []
    var numbers: [String: Int] = [:]
    let owners = texts.map { text in
      if let number = numbers[text] { return number }
      numbers[text] = candidates.count
      candidates.append(Candidate(text))
      return candidates.count - 1
    }
    while true {
      let wanted = Dictionary(grouping: candidates.indices) { candidates[$0].name }
      let clashes = wanted.filter { $1.count > 1 || taken.contains($0) }
      if clashes.isEmpty { break }
      // Those with the fewest digits take more, so that no text changes the name of one that has
      // digits anyway.
      for numbers in clashes.values {
        let least = numbers.map { candidates[$0].digits }.min()
        for number in numbers where candidates[number].digits == least {
          candidates[number].digits += Candidate.step
        }
      }
    }
    all = owners.map { candidates[$0].name }
  }

  package subscript(index: Int) -> String { all[index] }
}

/// A text on its way to a name.
private struct Candidate {
  private let stem: String
  private let digest: String
  /// Of the digest that the name shows.
  var digits = 0

  static let step = 8
  private static let limit = 64

  init(_ text: String) {
    let text = Initialism.normalized(text)
    stem = Self.stem(of: text)
    digest = Digest(of: text).hex
    if text.utf8.contains(where: { $0 >= 0x80 }) || stem.utf8.count > Self.limit {
      digits = Self.step
    }
  }

  var name: String {
    if digits == 0 { return stem }
    var short = stem.prefix(Self.limit - 1 - digits)
    while short.count > 1, short.last == "_" { short.removeLast() }
    return "\(short)_\(digest.prefix(digits))"
  }

  private static func stem(of text: String) -> String {
    var stem: [UInt8] = []
    var hasGap = false
    for byte in text.utf8 {
      guard byte.isASCIILetterOrDigit else {
        hasGap = true
        continue
      }
      if hasGap && !stem.isEmpty { stem.append(UInt8(ascii: "_")) }
      hasGap = false
      stem.append(byte.asciiLowercased)
    }
    guard let first = stem.first else { return "x" }
    if first <= UInt8(ascii: "9") { stem.insert(UInt8(ascii: "_"), at: 0) }
    return String(decoding: stem, as: UTF8.self)
  }
}
