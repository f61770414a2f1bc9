import Foundation
import Manifest

extension Manifest {
  /// What is written on the card of the team, in NFC; nil where there is no card, and for a title
  /// that has other letters than those that `Lettering` sets well in a row.
  ///
  /// These are Latin, Greek, Cyrillic, those of the East, and emoji. Letters of other scripts join
  /// or run leftwards.
  package var cardTitle: String? {
    guard site.url != nil, !users.isEmpty else { return nil }
    let title = site.title.precomposedStringWithCanonicalMapping
    let isSet = title.allSatisfy { character in
      character.isEmoji || character.unicodeScalars.allSatisfy { $0.isEastAsian || $0.isPlain }
    }
    return isSet && !title.isBlank ? title : nil
  }
}

extension Unicode.Scalar {
  /// Of Latin, Greek or Cyrillic, or a sign that goes with any of them; nothing invisible.
  fileprivate var isPlain: Bool {
    switch value {
    case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x530, 0x1E00..<0x2000, 0x2010..<0x2028,
      0x2030..<0x205F, 0x20A0..<0x20D0, 0x2100..<0x2200:
      true
    default: false
    }
  }
}
