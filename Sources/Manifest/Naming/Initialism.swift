import Bytes
import Foundation

/// The letters that stand for a name.
///
/// - The name is taken in NFC and split at white space. What stands in brackets is left out, as
///   long as something stands outside of them.
/// - Of each word counts the first grapheme cluster that begins with a letter or a digit: quotes
///   and other punctuation before it are skipped, and a word without one does not count.
/// - The initials are those of the first and of the last word; of one word it is one. Where the
///   first is Han, kana or Hangul it stands alone: it is as wide as two letters, and the family
///   name. Titles, particles and the order of names are not guessed.
/// - Emoji count only where a name has no letter and no digit.
/// - A small letter becomes its title case, without regard to any language; of a letter that
///   becomes several (`ß`, `ﬁ`) the first capital stays.
package enum Initialism {
  /// The scalars of a cluster that are kept: those of the longest emoji are 10.
  private static let clusterLimit = 16

  /// One or two grapheme clusters in NFC; nil for a name that has none.
  package static func letters(of name: String) -> String? {
    let words = words(of: normalized(name))
    for counts in [{ (character: Character) in character.isInitial }, { $0.isEmoji }] {
      let clusters = words.compactMap { $0.first(where: counts) }
      guard let first = clusters.first, let last = clusters.last else { continue }
      let isAlone = clusters.count == 1 || first.standsAlone
      return titlecased(first) + (isAlone ? "" : titlecased(last))
    }
    return nil
  }

  /// The first letter of an id, for names without any.
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

  /// NFC, which most texts are already.
  package static func normalized(_ text: String) -> String {
    // No code point below U+0300 combines with another.
    text.unicodeScalars.allSatisfy { $0.value < 0x300 }
      ? text : text.precomposedStringWithCanonicalMapping
  }
}

extension Character {
  fileprivate var isInitial: Bool {
    guard let first = unicodeScalars.first, !isEmoji else { return false }
    switch first.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
      .letterNumber:
      return true
    default:
      return false
    }
  }

  /// Han, kana or Hangul.
  fileprivate var standsAlone: Bool {
    unicodeScalars.first?.isEastAsian == true
  }

  /// Drawn as a picture: by itself, or since a selector, a keycap or a flag's half says so.
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

  /// Han, kana, Bopomofo or Hangul, and their wide and half-width forms.
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
