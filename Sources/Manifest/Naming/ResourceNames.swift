import Bytes

/// Makes names that are valid for programs, compilers and file systems.
///
/// - A name has lower-case ASCII letters, digits and `_`, at most 64 bytes, and does not begin with
///   a digit: a Swift identifier and an Android resource name. Windows device names are avoided.
/// - Capitals become lower case. Other characters become one `_`, and are removed at both ends.
/// - Texts that are too long or not ASCII get `_` and 8 hex digits of their SHA-256. So do all
///   texts with the same name, so that the order does not matter.
/// - Canonically equivalent texts get the same name.
package struct ResourceNames: Sendable {
  package let all: [String]

  /// Equal texts get the same name; reserved names are avoided.
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
      // Only names with the fewest digits get longer, so that other names do not change.
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

private struct Candidate {
  private let stem: String
  private let digest: String
  /// The number of digest digits in the name.
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
