import Bytes
import Foundation

/// The rules that derive initials from a name.
///
/// - The name is normalized to NFC and split at white space. Bracketed text is ignored unless the
///   whole name is in brackets.
/// - Each word contributes its first grapheme cluster that begins with a letter or digit.
/// - The initials come from the first and last words. A first initial in Han, kana or
///   Hangul is used alone, because it is as wide as two letters.
/// - Titles, particles and name order are not recognized.
/// - Emoji are used only for names without letters and digits.
/// - Lower-case letters become title case, regardless of language; `ß` becomes `S`.
package enum Initialism {
  /// The maximum number of scalars per cluster; the longest emoji have 10.
  private static let clusterLimit = 16

  /// Returns one or two grapheme clusters in NFC, or nil if no character is suitable.
  package static func letters(of name: String) -> String? {
    if let letters = asciiLetters(of: name) { return letters }
    let words = words(of: normalized(name))
    for counts in [{ (character: Character) in character.isInitial }, { $0.isEmoji }] {
      let clusters = words.compactMap { $0.first(where: counts) }
      guard let first = clusters.first, let last = clusters.last else { continue }
      let isAlone = clusters.count == 1 || first.standsAlone
      return titlecased(first) + (isAlone ? "" : titlecased(last))
    }
    return nil
  }

  /// The fast path for most names; without it, initials take a quarter of `check`'s run time.
  private static func asciiLetters(of name: String) -> String? {
    guard name.utf8.allSatisfy({ $0 < 0x80 && !"([".utf8.contains($0) }) else { return nil }
    let words = name.utf8.split { $0 == 0x20 || 0x09...0x0D ~= $0 }
    let letters = words.compactMap { $0.first(where: \.isASCIILetterOrDigit) }
    guard let first = letters.first, let last = letters.last else { return nil }
    let text = String(decoding: letters.count == 1 ? [first] : [first, last], as: UTF8.self)
    return text.uppercased()
  }

  static func letter(of id: String) -> String? {
    letters(of: id).flatMap(\.first).map { String($0) }
  }

  private static func words(of name: String) -> [Substring] {
    let outside = outsideOfBrackets(name)
    let words = outside.split(whereSeparator: \.isWhitespace)
    let hasLetters = words.contains { word in
      word.contains { (character: Character) in character.isInitial || character.isEmoji }
    }
    return hasLetters ? words : name.split(whereSeparator: \.isWhitespace)
  }

  private static func outsideOfBrackets(_ name: String) -> String {
    let opening: [Character] = ["(", "[", "（", "［", "【"]
    let closing: [Character] = [")", "]", "）", "］", "】"]
    guard name.contains(where: opening.contains) else { return name }
    var result = ""
    var depth = 0
    for character in name {
      if opening.contains(character) {
        depth += 1
        result.append(" ")
      } else if closing.contains(character) {
        depth = max(0, depth - 1)
      } else if depth == 0 {
        result.append(character)
      }
    }
    return result
  }

  private static func titlecased(_ cluster: Character) -> String {
    let scalars = cluster.unicodeScalars.prefix(clusterLimit)
    guard let first = scalars.first else { return "" }
    var text = first.properties.titlecaseMapping
    text.unicodeScalars.append(contentsOf: scalars.dropFirst())
    let letter = text.first { $0.unicodeScalars.first?.isCapital == true } ?? text.first
    return normalized(letter.map { String($0) } ?? "")
  }

  package static func normalized(_ text: String) -> String {
    // Fast path: text that contains only code points below U+0300 is already in NFC.
    text.unicodeScalars.allSatisfy { $0.value < 0x300 }
      ? text : text.precomposedStringWithCanonicalMapping
  }
}

extension Character {
  fileprivate var isInitial: Bool {
    guard let first = unicodeScalars.first, !isEmoji else { return false }
    let kinds: [Unicode.GeneralCategory] = [
      .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
      .letterNumber,
    ]
    return kinds.contains(first.properties.generalCategory)
  }

  fileprivate var standsAlone: Bool { unicodeScalars.first?.isEastAsian == true }

  /// Whether the cluster is displayed as an emoji; keycaps and flags count as emoji.
  package var isEmoji: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.properties.isEmojiPresentation { return true }
    return first.properties.isEmoji
      && unicodeScalars.dropFirst().contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
  }
}

extension Unicode.Scalar {
  fileprivate var isCapital: Bool {
    let category = properties.generalCategory
    return category == .uppercaseLetter || category == .titlecaseLetter
  }

  /// Whether the scalar is Han, kana, Bopomofo or Hangul, in any width.
  package var isEastAsian: Bool {
    switch value {
    case 0x1100..<0x1200, 0x2E80..<0x2FE0, 0x3005...0x3007, 0x3021..<0x3030, 0x3031..<0x3040,
      0x3041..<0x3190, 0x31A0..<0x3200, 0x3400..<0x4DC0, 0x4E00..<0xA000, 0xA960..<0xA980,
      0xAC00..<0xD800, 0xF900..<0xFB00, 0xFF66..<0xFFDD, 0x1B000..<0x1B170, 0x20000..<0x32000:
      true
    default: false
    }
  }
}
