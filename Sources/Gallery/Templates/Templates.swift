package import Diagnostics
import Documents
package import Files
import Foundation
package import Manifest
import Mustache

/// The look of the gallery: templates, style sheets and scripts, file by file from the user's folder
/// or from the copy compiled in.
package struct Templates: Sendable {
  let set: TemplateSet
  let styleSheet: [UInt8]
  let script: [UInt8]
  /// Where there is somebody to be found.
  let findScript: [UInt8]
  let detailScript: [UInt8]
  /// Only some sites ask for it.
  let touchScript: [UInt8]
  /// Of the theme, if there is one; it comes after the plain one.
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
    let wardrobe: TemplateFiles
    do throws(Diagnostic) {
      let reader = try TemplateReader(named: folder)
      wardrobe = try TemplateFiles(reader, theme: theme, files: Self.files)
      set = try TemplateSet(loading: Self.roots, from: wardrobe.source)
      reader.tell(&inputs)
    } catch {
      throw error
    }
    styleSheet = wardrobe.bytes(of: Self.styleSheetName)
    script = wardrobe.bytes(of: Self.scriptName)
    findScript = wardrobe.bytes(of: Self.findScriptName)
    detailScript = wardrobe.bytes(of: Self.detailScriptName)
    touchScript = wardrobe.bytes(of: Self.touchScriptName)
    if let theme {
      guard let sheet = wardrobe.themeSheet else { throw Diagnostic.unknown(theme) }
      themeSheet = sheet
    } else {
      themeSheet = nil
    }
    warnings = set.unknownNames(known: GalleryPages.vocabulary.union(GalleryHead.vocabulary))
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
