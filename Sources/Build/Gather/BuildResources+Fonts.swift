import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes

extension BuildResources {
  private static let fontLimit = 32 << 20

  /// Reads only the fonts that this manifest's texts need.
  mutating func readFonts(
    _ manifest: Manifest, _ context: BuildContext, inputs: inout Inputs
  ) throws {
    var wanted: Set<DeclaredFont> = []
    var hasLetters = false
    var seen: Set<String> = []
    func look(at key: SourceKey) {
      hasLetters = true
      guard let text = key.text, seen.insert(text).inserted else { return }
      wanted.formUnion(DeclaredFont.fonts(for: text))
    }
    for user in manifest.users {
      for source in user.avatars where source.kind == .initials {
        look(at: user.key(of: .initials))
      }
    }
    if let icon = manifest.exports.icons, icon.source == .initials { look(at: icon.key) }
    for text in manifest.writtenTexts {
      hasLetters = true
      wanted.formUnion(DeclaredFont.fonts(for: text, isTitle: true))
    }
    guard hasLetters else { return }
    if let font = manifest.font {
      fonts.own = supply(
        try read(font, beneath: context.manifestFolder, manifest.allowOutside, &inputs))
    }
    for font in wanted.sorted(by: { $0.file < $1.file }) {
      let path = "\(context.options.fontsFolder)/\(font.file)"
      fonts.declared[font] = supply(file: path, upTo: Self.fontLimit, inputs: &inputs)
    }
  }

  func writtenFonts(_ manifest: Manifest) -> [String: [String]] {
    let texts = manifest.writtenTexts.compactMap { text in
      (try? fonts.fonts(for: text, isTitle: true).get()).map { (text, $0) }
    }
    return Dictionary(texts) { first, _ in first }
  }

  private func read(
    _ font: NamedFile, beneath folder: Folder, _ allowOutside: Bool, _ inputs: inout Inputs
  ) throws -> Data {
    let bytes: Data
    do throws(FileError) {
      bytes = try folder.read(
        font.path, allowOutside: allowOutside, upTo: Self.fontLimit, noting: &inputs)
    } catch {
      throw BuildFailure.usage(
        .unusableFont(
          font, "cannot read the font \(font.path)", note: error.explanation,
          help: "`font` is a path relative to the manifest"))
    }
    // Only the signature is checked here; a worker parses the font.
    let start = [UInt8](bytes.prefix(4))
    let starts = [[0, 1, 0, 0], Array("true".utf8), Array("OTTO".utf8), Array("ttcf".utf8)]
    guard starts.contains(start) else {
      let isPacked = start.starts(with: Array("wOF".utf8))
      throw BuildFailure.usage(
        .unusableFont(
          font, "\(font.path) is not a TrueType or OpenType font",
          note: isPacked ? "it is a WOFF font, which only browsers use" : nil,
          help: "use a file such as Letters.ttf or Letters.otf"))
    }
    return bytes
  }
}

extension Diagnostic {
  fileprivate static func unusableFont(
    _ font: NamedFile, _ message: String, note: String?, help: String
  ) -> Diagnostic {
    Diagnostic(
      .error, DiagnosticID.fontUnusable, message, at: font.location, path: "font", note: note,
      help: help)
  }
}

struct FontChain: Sendable {
  var own: String?
  var declared: [DeclaredFont: String] = [:]

  /// Returns a text's fonts, emoji first, because the other fonts contain a few monochrome emoji.
  func fonts(for text: String, isTitle: Bool = false) -> Result<[String], Rejection> {
    let wanted = DeclaredFont.fonts(for: text, isTitle: isTitle)
    let missing = wanted.first { declared[$0] == nil }
    if own == nil, let missing {
      return .failure(
        Rejection(
          .fontMissing,
          "\(missing.file) from the Debian package \(missing.package) is not installed"))
    }
    let emoji = wanted.contains(.emoji) ? [declared[.emoji]] : []
    let others = wanted.filter { $0 != .emoji }.map { declared[$0] }
    return .success((emoji + [own] + others).compactMap { $0 })
  }
}
