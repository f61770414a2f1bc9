import Bytes
import Foundation

/// Text as finding compares it: without case, accents and other marks.
///
/// `gallery.js` folds what is typed in the same way, step by step: NFKD, without what Unicode calls
/// a mark, a few letters that have no decomposition, lower case. A final sigma is a sigma.
package enum Folding {
  package static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if scalar.isASCII {
        folded.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value).asciiLowercased))
      } else if let plain = plain[scalar] {
        folded += plain
      } else if !scalar.isMark {
        folded += scalar.properties.lowercaseMapping
      }
    }
    return folded
  }

  /// Whether folding does more than to lower the case of ASCII letters.
  package static func changes(_ text: String, into folded: String) -> Bool {
    // Bytes: two spellings that are canonically equivalent are equal as `String`.
    !text.utf8.lazy.map(\.asciiLowercased).elementsEqual(folded.utf8)
  }

  /// A name with umlauts as Germans type it without them: "mueller" for "Müller"; nil for other names.
  package static func typedWithoutUmlauts(_ text: String) -> String? {
    let umlauts: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue"]
    let letters = text.lowercased()
    guard letters.contains(where: { umlauts[$0] != nil }) else { return nil }
    return folded(letters.map { umlauts[$0] ?? String($0) }.joined())
  }

  /// Letters that NFKD leaves whole.
  private static let plain: [Unicode.Scalar: String] = [
    "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "ħ": "h", "Ħ": "h", "ŧ": "t",
    "Ŧ": "t", "ı": "i", "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe",
    "þ": "th", "Þ": "th", "ð": "d", "Ð": "d", "ς": "σ",
  ]
}

extension Unicode.Scalar {
  /// `\p{M}`.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
