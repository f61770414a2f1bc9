/// `AssetNames.swift`: constants, so that code with removed catalog names does not compile.
struct AssetNames {
  let catalog: AssetCatalog

  var text: String {
    var lines = [
      "// Made by sitegen: what is changed here is lost with the next build.", "",
      "/// The names of images and colors in Assets.xcassets.",
      "public enum AssetNames {",
    ]
    lines += folder("Avatars", catalog.avatars) { $0.imageSets.map(\.name) }
    lines += folder("Buttons", catalog.buttons) { $0.colorSets.map(\.name) }
    lines.append("}\n")
    return lines.joined(separator: "\n")
  }

  private func folder(
    _ name: String, _ groups: [AssetCatalog.Group],
    names: (AssetCatalog.Group) -> [String]
  ) -> [String] {
    guard !groups.isEmpty else { return [] }
    var lines = ["  public enum \(name) {"]
    for group in groups {
      lines.append("    public enum \(Self.type(group.name)) {")
      for asset in names(group) {
        // Computed properties compile seven times as fast as 10,000 stored ones.
        lines.append(
          "      public static var \(Self.constant(asset)): String "
            + "{ \"\(name)/\(group.name)/\(asset)\" }")
      }
      lines.append("    }")
    }
    lines.append("  }")
    return lines
  }

  // MARK: Names

  // A resource name has lowercase words and digits separated by `_`. Every word but the first is
  // capitalized, or keeps its `_` before a digit, so that names stay distinct.

  /// Converts `ada_lovelace` to `adaLovelace`.
  static func constant(_ name: String) -> String {
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    let camel = (words.first.map(String.init) ?? "") + words.dropFirst().map(capitalized).joined()
    // These two have another meaning after a dot.
    if ["init", "self"].contains(camel) { return "\(camel)_" }
    return keywords.contains(camel) ? "`\(camel)`" : camel
  }

  /// Converts `ada_lovelace` to `AdaLovelace`.
  static func type(_ name: String) -> String {
    let camel = constant(name).filter { $0 != "`" }
    guard let first = camel.first, first.isLetter else { return camel }
    let type = first.uppercased() + camel.dropFirst()
    // `String` is the type of the nested constants. `AvatarAssets` the module.
    let reserved = ["Any", "AvatarAssets", "Protocol", "Self", "String", "Type"]
    return reserved.contains(type) ? "\(type)_" : type
  }

  private static func capitalized(_ word: Substring) -> String {
    guard let first = word.first, first.isLetter else { return "_\(word)" }
    return first.uppercased() + word.dropFirst()
  }

  /// Keywords, which need backticks as names.
  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]
}
