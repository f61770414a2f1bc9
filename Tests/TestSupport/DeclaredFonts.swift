/// Fonts that `script/bootstrap` installs.
package enum DeclaredFonts {
  package static let folder = "/usr/share/fonts"

  package static let latin = "truetype/noto/NotoSans-Regular.ttf"
  package static let hebrew = "truetype/noto/NotoSansHebrew-Regular.ttf"
  package static let arabic = "truetype/noto/NotoSansArabic-Regular.ttf"
  package static let devanagari = "truetype/noto/NotoSansDevanagari-Regular.ttf"
  package static let eastAsian = "truetype/wqy/wqy-microhei.ttc"
  package static let emoji = "truetype/noto/NotoColorEmoji.ttf"

  package static func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
  }
}
