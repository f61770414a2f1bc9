import Mustache

/// Which file is worn: the user's before ours, and a theme's before the plain one.
///
/// A theme is the style sheet `NAME.css`, and any `NAME-person.mustache` that is used in place of
/// `person.mustache`.
struct Wardrobe {
  /// Of every file that there is, ours or the user's, by name.
  private let found: [String: [UInt8]]
  private let theme: String?
  private let reader: TemplateReader

  /// All of ours at once: also what the user's own templates do not include is looked for.
  init(_ reader: TemplateReader, theme: NamedTheme?) throws(MustacheError) {
    self.reader = reader
    self.theme = theme?.name
    var names = Set(Self.compiledIn.keys)
    if let theme {
      names.insert("\(theme.name).css")
      for name in names where name.hasSuffix(".mustache") {
        names.insert("\(theme.name)-\(name)")
      }
    }
    var found: [String: [UInt8]] = [:]
    for name in names.sorted() {
      do throws(TemplateReader.Failure) {
        found[name] = try reader.read(name) ?? Self.compiledIn[name]
      } catch {
        throw .unreadable(reader.path(of: name), note: error.description)
      }
    }
    self.found = found
  }

  /// The bytes of a file that is no template.
  func bytes(of name: String) -> [UInt8] { found[name] ?? [] }

  /// Nil when there is no such theme.
  var themeSheet: [UInt8]? { theme.flatMap { found["\($0).css"] } }

  /// The templates, by name without `.mustache`.
  var source: TemplateSource {
    TemplateSource(
      bytes: { [self] name in
        if let theme, let bytes = found["\(theme)-\(name).mustache"] { return bytes }
        return try found["\(name).mustache"] ?? reader.read("\(name).mustache")
      },
      file: { [self] name in
        let isThemed = theme.map { found["\($0)-\(name).mustache"] != nil } ?? false
        return reader.path(of: (isThemed ? "\(theme ?? "")-" : "") + "\(name).mustache")
      })
  }

  /// The themes that sitegen brings along.
  static let themes = ["compact", "wall"]

  private static let compiledIn: [String: [UInt8]] = [
    "layout.mustache": PackageResources.layout_mustache,
    "index.mustache": PackageResources.index_mustache,
    "find.mustache": PackageResources.find_mustache,
    "person.mustache": PackageResources.person_mustache,
    "detail.mustache": PackageResources.detail_mustache,
    "pages.mustache": PackageResources.pages_mustache,
    "picture.mustache": PackageResources.picture_mustache,
    "person-page.mustache": PackageResources.person_page_mustache,
    "tags.mustache": PackageResources.tags_mustache,
    "tag.mustache": PackageResources.tag_mustache,
    "styles.mustache": PackageResources.styles_mustache,
    "style.mustache": PackageResources.style_mustache,
    "button.mustache": PackageResources.button_mustache,
    "buttons.mustache": PackageResources.buttons_mustache,
    "report.mustache": PackageResources.report_mustache,
    "report.css": PackageResources.report_css,
    "diff.mustache": PackageResources.diff_mustache,
    "diff-color.mustache": PackageResources.diff_color_mustache,
    "diff-picture.mustache": PackageResources.diff_picture_mustache,
    "diff-user.mustache": PackageResources.diff_user_mustache,
    "diff.css": PackageResources.diff_css,
    Templates.styleSheetName: PackageResources.gallery_css,
    Templates.scriptName: PackageResources.gallery_js,
    Templates.findScriptName: PackageResources.find_js,
    Templates.detailScriptName: PackageResources.detail_js,
    Templates.touchScriptName: PackageResources.buttons_js,
    "compact.css": PackageResources.compact_css,
    "wall.css": PackageResources.wall_css,
  ]
}
