import Bytes

/// Names that are valid in Swift code, Android resources and file systems.
///
/// - A name consists of up to 64 lower-case ASCII letters, digits and `_`, and does not begin with
///   a digit. Windows device names are avoided.
/// - Capitals are lowercased. Each run of other characters becomes one `_`, or is removed at
///   the ends.
/// - If a text is too long or not ASCII, its name ends with `_` and 8 hex digits of its SHA-256.
///   So do names that would otherwise be identical. The order of the texts does not matter.
/// - Canonically equivalent texts get the same name.
package struct ResourceNames: Sendable {
  package let all: [String]

  /// Creates names for the texts, avoiding those in `reserved`.
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
      // In each clash, lengthen only the names with the fewest digits of the digest.
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
    let words = text.utf8.split { !$0.isASCIILetterOrDigit }.map { String($0) ?? "" }
    let stem = words.joined(separator: "_").lowercased()
    guard let first = stem.utf8.first else { return "x" }
    return first <= UInt8(ascii: "9") ? "_" + stem : stem
  }
}
