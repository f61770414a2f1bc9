import Bytes
import Foundation

/// Text folding for case-insensitive and accent-insensitive search.
///
/// `gallery.js` folds search queries in the same way. A final sigma becomes a normal sigma.
package enum Folding {
  package static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if scalar.isASCII {
        folded.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value).asciiLowercased))
      } else if let plain = plain[scalar] {
        folded += plain
      } else if !marks.contains(scalar.properties.generalCategory) {
        folded += scalar.properties.lowercaseMapping
      }
    }
    return folded
  }

  package static func changes(_ text: String, into folded: String) -> Bool {
    // Compare bytes, because `String` treats canonically equivalent spellings as equal.
    !text.utf8.lazy.map(\.asciiLowercased).elementsEqual(folded.utf8)
  }

  /// Returns "mueller" for "Müller", or nil for text without German umlauts.
  package static func typedWithoutUmlauts(_ text: String) -> String? {
    let umlauts: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue"]
    let letters = text.lowercased()
    guard letters.contains(where: { umlauts[$0] != nil }) else { return nil }
    return folded(letters.map { umlauts[$0] ?? String($0) }.joined())
  }

  private static let marks: [Unicode.GeneralCategory] = [
    .nonspacingMark, .spacingMark, .enclosingMark,
  ]

  /// Replacements for letters without an NFKD decomposition.
  private static let plain: [Unicode.Scalar: String] = [
    "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "ħ": "h", "Ħ": "h", "ŧ": "t",
    "Ŧ": "t", "ı": "i", "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe",
    "þ": "th", "Þ": "th", "ð": "d", "Ð": "d", "ς": "σ",
  ]
}
