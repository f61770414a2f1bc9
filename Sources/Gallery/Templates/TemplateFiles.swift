import Diagnostics
import Files
import Manifest
import Mustache
import Plan

/// The files that a page is made of.
///
/// The user's files replace ours, and a theme's replace the plain ones. A theme is the style sheet
/// `NAME.css`, and any `NAME-person.mustache` that is used instead of `person.mustache`.
struct TemplateFiles {
  /// Style sheets and scripts, by name; a theme's is missing when there is no such theme.
  let files: [String: [UInt8]]
  private let theme: String?
  private let reader: TemplateReader

  /// Reads the style sheets and scripts of these names; templates are read when others include them.
  init(_ reader: TemplateReader, theme: NamedTheme?, names: [String]) throws(Diagnostic) {
    self.reader = reader
    self.theme = theme?.name
    var files: [String: [UInt8]] = [:]
    for name in names + (theme.map { ["\($0.name).css"] } ?? []) {
      files[name] = try Self.read(name, reader)
    }
    self.files = files
  }

  static func read(
    _ name: String, _ reader: TemplateReader
  ) throws(Diagnostic) -> [UInt8]? {
    try reader.read(name) ?? compiledIn[name]
  }

  /// The templates, by name without `.mustache`.
  var source: TemplateSource {
    TemplateSource(
      bytes: { [reader, theme] name in
        if let theme, let bytes = try Self.read("\(theme)-\(name).mustache", reader) {
          return bytes
        }
        return try Self.read("\(name).mustache", reader)
      },
      file: { [reader, theme] name in
        let file = "\(name).mustache"
        if let theme, reader.has("\(theme)-\(file)") || Self.compiledIn["\(theme)-\(file)"] != nil {
          return reader.path(of: "\(theme)-\(file)")
        }
        return reader.path(of: file)
      })
  }

  /// The themes that sitegen brings along.
  static let themes = ["compact", "wall"]

  /// Whether one of our files has the name and is no theme; a theme cannot have its name.
  static func isTaken(_ theme: String) -> Bool {
    !themes.contains(theme)
      && compiledIn.keys.contains { $0.split(separator: ".").first.map(String.init) == theme }
  }

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
    "diff.mustache": PackageResources.diff_mustache,
    "diff.css": PackageResources.diff_css,
    Templates.styleSheetName: PackageResources.gallery_css,
    Templates.scriptName: PackageResources.gallery_js,
    Templates.findScriptName: PackageResources.find_js,
    Templates.detailScriptName: PackageResources.detail_js,
    Templates.touchScriptName: PackageResources.buttons_js,
    "compact.css": PackageResources.compact_css,
    "wall.css": PackageResources.wall_css,
    "words-en.json": PackageResources.words_en_json,
    "words-de.json": PackageResources.words_de_json,
    "words-es.json": PackageResources.words_es_json,
    "words-fr.json": PackageResources.words_fr_json,
    "words-zh.json": PackageResources.words_zh_json,
  ]
}

/// Reads the user's own files, and remembers which it looked for.
final class TemplateReader: Sendable {
  private struct Access {
    var name: String
    /// Nil when there was no such file.
    var stamp: FileStamp?
    /// The time before the file was read.
    var moment: Int64
    /// Whether there is such a file, readable or not.
    var isThere: Bool
  }

  private static let byteLimit = 1 << 20

  /// Nil when the user has no templates.
  private let folder: Folder?
  /// As it was typed.
  private let folderPath: String
  private let accesses = Guarded<[Access]>([])

  init(_ folder: TemplatesFolder) throws(Diagnostic) {
    folderPath = folder.path
    do throws(FileError) {
      self.folder = try Folder(opening: folderPath)
    } catch {
      guard !folder.isNamed, error.reason == .notFound else {
        throw .unreadableTemplate(folderPath, note: error.explanation)
      }
      self.folder = nil
    }
  }

  func path(of name: String) -> String { "\(folderPath)/\(name)" }

  /// Whether such a file was there when it was read.
  func has(_ name: String) -> Bool {
    accesses.withLock { $0.contains { $0.name == name && $0.isThere } }
  }

  /// The bytes of a file, nil when there is none.
  func read(_ name: String) throws(Diagnostic) -> [UInt8]? {
    var access = Access(name: name, stamp: nil, moment: FileStamp.now(), isThere: false)
    defer { accesses.withLock { [access] in $0.append(access) } }
    guard let folder else { return nil }
    do throws(FileError) {
      let file = try folder.open(beneath: name)
      let bytes = try file.readBytes(upTo: Self.byteLimit)
      access.stamp = file.stamp
      access.isThere = true
      return bytes
    } catch {
      access.isThere = error.reason != .notFound
      guard access.isThere else { return nil }
      throw .unreadableTemplate(path(of: name), note: error.explanation)
    }
  }

  /// Adds every file that it looked for.
  func note(in inputs: inout Inputs) {
    for access in accesses.withLock({ $0 }) {
      inputs.add(path(of: access.name), access.stamp, takenAt: access.moment)
    }
  }
}
