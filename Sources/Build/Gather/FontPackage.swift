import Files

/// A Debian package with declared fonts, and what of it this machine has.
package struct FontPackage: Hashable, Sendable {
  package let name: String
  /// Names of fonts that are not there, such as `NotoSansThai-Regular.ttf`.
  package let missing: [String]
  /// How many fonts it should have.
  package let count: Int

  /// All of them, by name; only whether the files are there is looked at.
  package static func all(in folder: String = DeclaredFont.folder) -> [FontPackage] {
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
