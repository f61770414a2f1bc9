package import Diagnostics
import Documents
package import Files
package import Manifest
import Mustache

/// The templates, style sheets and scripts of the gallery, file by file from the user's folder or
/// from the copy compiled in.
package struct Templates: Sendable {
  let set: TemplateSet
  let styleSheet: [UInt8]
  let script: [UInt8]
  /// For sites with people.
  let findScript: [UInt8]
  let detailScript: [UInt8]
  /// Only some sites ask for it.
  let touchScript: [UInt8]
  /// Of the theme, if there is one; pages link it after the plain one.
  let themeSheet: [UInt8]?
  /// Names that no value has.
  package let warnings: [Diagnostic]

  package static let styleSheetName = "gallery.css"
  static let scriptName = "gallery.js"
  static let findScriptName = "find.js"
  static let detailScriptName = "detail.js"
  static let touchScriptName = "buttons.js"
  static let themeSheetName = "theme.css"

  /// The templates of whole pages.
  private static let roots = [
    "index", "buttons", "tags", "tag", "person-page", "styles", "style",
  ]

  /// What is published as it is.
  private static let files = [
    styleSheetName, scriptName, findScriptName, detailScriptName, touchScriptName,
  ]

  /// - Parameters:
  ///   - folder: As typed; nil means `templates/` in the working directory, if it is there.
  ///   - theme: Its files win over those of the plain look.
  ///   - inputs: Is told every file that was read or missing.
  /// - Throws: A `Diagnostic` for templates that cannot be read or make no sense, and for a
  ///   theme that does not exist.
  package init(named folder: String?, theme: NamedTheme?, inputs: inout Inputs) throws {
    if let theme, TemplateFiles.isTaken(theme.name) { throw Diagnostic.unknown(theme) }
    let reader = try TemplateReader(named: folder)
    let files = try TemplateFiles(reader, theme: theme, names: Self.files)
    set = try TemplateSet(loading: Self.roots, from: files.source)
    reader.note(in: &inputs)
    styleSheet = files.bytes(of: Self.styleSheetName)
    script = files.bytes(of: Self.scriptName)
    findScript = files.bytes(of: Self.findScriptName)
    detailScript = files.bytes(of: Self.detailScriptName)
    touchScript = files.bytes(of: Self.touchScriptName)
    themeSheet = files.themeSheet
    if let theme, themeSheet == nil { throw Diagnostic.unknown(theme) }
    warnings = set.unknownNames(known: GalleryPages.vocabulary.union(PageHead.vocabulary))
  }
}

extension Diagnostic {
  fileprivate static func unknown(_ theme: NamedTheme) -> Diagnostic {
    let isTaken = TemplateFiles.isTaken(theme.name)
    return Diagnostic(
      .error, .unknownTheme, "there is no theme called \(theme.name.quoted)", at: theme.place,
      path: "pages.theme", note: isTaken ? "another file of sitegen has this name" : nil,
      help: suggestion(for: theme.name, among: TemplateFiles.themes)
        ?? (isTaken
          ? "give the theme another name"
          : "write `\(theme.name).css` in the templates' folder"))
  }
}
