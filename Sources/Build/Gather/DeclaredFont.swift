import Files
import Manifest

/// A font from a Debian package that `script/bootstrap` installs.
///
/// Other installed fonts are ignored, so that a site looks the same on every machine.
struct DeclaredFont: Hashable, Sendable {
  let file: String
  let package: String

  /// The font for Latin, Greek, Cyrillic, and scripts without a specific font.
  static let base = DeclaredFont(noto: "Sans-Regular")
  static let bold = DeclaredFont(noto: "Sans-Bold")
  static let eastAsian = DeclaredFont(
    file: "truetype/wqy/wqy-microhei.ttc", package: "fonts-wqy-microhei")
  static let emoji = DeclaredFont(
    file: "truetype/noto/NotoColorEmoji.ttf", package: "fonts-noto-color-emoji")

  private static let scripts = names.map { entry in
    (ranges: entry.ranges, font: DeclaredFont(noto: "Sans\(entry.name)-Regular"))
  }

  private static let names: [(ranges: [ClosedRange<UInt32>], name: String)] = [
    ([0x0531...0x058F, 0xFB13...0xFB17], "Armenian"),
    ([0x0590...0x05FF, 0xFB1D...0xFB4F], "Hebrew"),
    (
      [0x0600...0x06FF, 0x0750...0x077F, 0x08A0...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC],
      "Arabic"
    ),
    ([0x0700...0x074F], "Syriac"),
    ([0x0780...0x07BF], "Thaana"),
    ([0x07C0...0x07FF], "NKo"),
    ([0x0900...0x097F, 0xA8E0...0xA8FF], "Devanagari"),
    ([0x0980...0x09FF], "Bengali"),
    ([0x0A00...0x0A7F], "Gurmukhi"),
    ([0x0A80...0x0AFF], "Gujarati"),
    ([0x0B00...0x0B7F], "Oriya"),
    ([0x0B80...0x0BFF], "Tamil"),
    ([0x0C00...0x0C7F], "Telugu"),
    ([0x0C80...0x0CFF], "Kannada"),
    ([0x0D00...0x0D7F], "Malayalam"),
    ([0x0D80...0x0DFF], "Sinhala"),
    ([0x0E00...0x0E7F], "Thai"),
    ([0x0E80...0x0EFF], "Lao"),
    ([0x1000...0x109F, 0xAA60...0xAA7F], "Myanmar"),
    ([0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F], "Georgian"),
    ([0x1200...0x139F, 0x2D80...0x2DDF, 0xAB00...0xAB2F], "Ethiopic"),
    ([0x13A0...0x13FF, 0xAB70...0xABBF], "Cherokee"),
    ([0x1400...0x167F, 0x18B0...0x18FF], "CanadianAboriginal"),
    ([0x1780...0x17FF], "Khmer"),
    ([0x1800...0x18AF], "Mongolian"),
    ([0x1B00...0x1B7F], "Balinese"),
    ([0x1C50...0x1C7F], "OlChiki"),
    ([0x2D30...0x2D7F], "Tifinagh"),
    ([0xA000...0xA4CF], "Yi"),
    ([0xA980...0xA9DF], "Javanese"),
    ([0xABC0...0xABFF], "MeeteiMayek"),
    ([0x1_D400...0x1_D7FF], "Math"),
    ([0x1_E900...0x1_E95F], "Adlam"),
  ]

  static let all = [base, bold, eastAsian, emoji] + scripts.map(\.font)

  /// Returns a text's fonts; the first scalar of each grapheme cluster selects the font.
  static func fonts(for text: String, isTitle: Bool = false) -> [DeclaredFont] {
    var fonts: [DeclaredFont] = []
    for cluster in text {
      var font = font(for: cluster)
      if isTitle, font == base { font = bold }
      if !fonts.contains(font) { fonts.append(font) }
    }
    return fonts
  }

  /// Returns whether a scalar is full-width Latin or a Roman numeral; both need an East Asian font.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    (0x2160...0x2188).contains(scalar.value) || (0xFF01...0xFF5E).contains(scalar.value)
  }

  private static func font(for cluster: Character) -> DeclaredFont {
    guard !cluster.isEmoji, let first = cluster.unicodeScalars.first else { return emoji }
    if first.isEastAsian || isWide(first) { return eastAsian }
    return scripts.first { $0.ranges.contains { $0.contains(first.value) } }?.font ?? base
  }
}

extension DeclaredFont {
  private init(noto name: String) {
    self.init(file: "truetype/noto/Noto\(name).ttf", package: "fonts-noto-core")
  }
}

package struct FontPackage: Hashable, Sendable {
  package let name: String
  package let missing: [String]
  package let count: Int

  package static func all(in folder: String = BuildOptions.debianFonts) -> [FontPackage] {
    let fonts = try? Folder(opening: folder)
    let packages = Dictionary(grouping: DeclaredFont.all, by: \.package)
    return packages.sorted { $0.key < $1.key }.map { name, declared in
      let missing = declared.filter { font in
        (try? fonts?.stamp(beneath: font.file, allowOutside: true)) == nil
      }
      let files = missing.map { $0.file.split(separator: "/").last.map(String.init) ?? $0.file }
      return FontPackage(name: name, missing: files, count: declared.count)
    }
  }
}
