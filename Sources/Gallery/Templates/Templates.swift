package import Diagnostics
import Documents
package import Files
package import Manifest
import Mustache
package import Plan

package struct Templates: Sendable {
  let set: TemplateSet
  private let files: [String: [UInt8]]
  let words: Words
  /// The logo's file name in the output folder; nil if the site does not have a logo.
  private(set) var logo: String?
  package let warnings: [Diagnostic]

  package static let styleSheetName = "gallery.css"
  static let scriptName = "gallery.js"
  static let findScriptName = "find.js"
  static let detailScriptName = "detail.js"
  static let touchScriptName = "buttons.js"
  static let themeSheetName = "theme.css"

  private static let roots = ["index", "buttons", "tags", "tag", "person-page", "styles", "style"]

  /// The names that templates may use; any other name expands to nothing and causes a warning.
  static let vocabulary: Set<String> = [
    "about", "alt", "anchor", "appearances", "avatars", "buttons", "bytes", "canonical", "card",
    "class", "color", "contrast", "count", "counts", "current", "description", "direction",
    "examples", "faces", "failed", "fallback", "files", "find", "footer", "format", "hash",
    "hasSheets", "head", "height", "home", "href", "icons", "image", "imageClass", "images",
    "ink", "isCurrent", "isDark", "isDisabled", "isFailed", "isFallback", "isGap",
    "isInherited", "isInside", "isLazy", "isSelected", "isSkipped", "isStale", "items",
    "kind", "label", "language", "link", "links", "logo", "name", "next", "number",
    "ok", "organisation", "pages", "people", "peopleText", "person", "placeholder",
    "placeholders", "portrait", "previous", "problems", "profiles", "reason", "recipe", "rest",
    "role", "root", "scale", "scripts", "sections", "site", "skipped", "source", "sources",
    "sprite", "src", "srcset", "stale", "stateClass", "states", "style", "styles",
    "stylesheets", "tag", "tags", "text", "title", "type", "up", "url",
    "vcard", "width", "words",
  ]

  /// Loads the templates, and records every file lookup in `inputs`.
  package init(_ folder: TemplatesFolder, _ manifest: Manifest, inputs: inout Inputs) throws {
    let theme = manifest.pages.theme
    let source = try TemplateFiles(in: folder, theme: theme?.name)
    var files: [String: [UInt8]] = [:]
    for name in [
      Self.styleSheetName, Self.scriptName, Self.findScriptName, Self.detailScriptName,
      Self.touchScriptName,
    ] {
      files[name] = try source.read(name)
    }
    if let theme { files[Self.themeSheetName] = try source.read("\(theme.name).css") }
    if let name = manifest.site.logo {
      guard let type = ["svg", "png", "webp"].first(where: name.lowercased().hasSuffix) else {
        throw Diagnostic.unreadableTemplate(
          source.path(of: name), note: "a logo must be an SVG, PNG or WebP file")
      }
      logo = "logo.\(type)"
      files["logo.\(type)"] = try source.read(name)
    }
    self.files = files
    set = try TemplateSet(loading: Self.roots, from: source.template)
    words = try Words(manifest.site, source)
    source.note(in: &inputs)
    if let name = manifest.site.logo, let logo, files[logo] == nil {
      throw Diagnostic.unreadableTemplate(source.path(of: name), note: "no such file")
    }
    if let theme, files[Self.themeSheetName] == nil { throw Diagnostic.unknown(theme) }
    warnings = set.unknownNames(known: Self.vocabulary.union(words.texts.keys))
  }

  var hasTheme: Bool { files[Self.themeSheetName] != nil }

  func page(_ name: String) -> Site.Page {
    let bytes = files[name] ?? []
    return Site.Page(path: name) { try $0(bytes) }
  }
}

extension Diagnostic {
  fileprivate static func unknown(_ theme: NamedTheme) -> Diagnostic {
    Diagnostic(
      .error, .unknownTheme, "unknown theme \(theme.name.quoted)", at: theme.location,
      path: "pages.theme",
      help: suggestion(for: theme.name, among: TemplateFiles.themes)
        ?? "create `\(theme.name).css` in the templates folder")
  }
}
