import Diagnostics
import Files
import Mustache
import Plan

/// The template files: the user's own files, or else the built-in ones.
///
/// A theme consists of `NAME.css` and optional files such as `NAME-person.mustache`. Every access
/// is recorded, even to a missing file, because the file may be added later.
final class TemplateFiles: Sendable {
  private struct Access {
    var name: String
    var stamp: FileStamp?
    var moment: Int64
  }

  private static let byteLimit = 1 << 20

  private let folder: Folder?
  private let folderPath: String
  private let theme: String?
  private let accesses = Locked<[Access]>([])

  init(in folder: TemplatesFolder, theme: String? = nil) throws(Diagnostic) {
    folderPath = folder.path
    self.theme = theme
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

  func template(_ name: String) throws(Diagnostic) -> TemplateSet.File? {
    for name in [theme.map { "\($0)-\(name).mustache" }, "\(name).mustache"].compactMap(\.self) {
      if let bytes = try read(name) { return TemplateSet.File(path: path(of: name), bytes: bytes) }
    }
    return nil
  }

  func read(_ name: String) throws(Diagnostic) -> [UInt8]? {
    var access = Access(name: name, stamp: nil, moment: FileStamp.now())
    defer { accesses.withLock { [access] in $0.append(access) } }
    guard let folder else { return Self.compiledIn[name] }
    do throws(FileError) {
      let file = try folder.open(beneath: name)
      let bytes = try file.readBytes(upTo: Self.byteLimit)
      access.stamp = file.stamp
      return bytes
    } catch {
      guard error.reason != .notFound else { return Self.compiledIn[name] }
      throw .unreadableTemplate(path(of: name), note: error.explanation)
    }
  }

  func note(in inputs: inout Inputs) {
    for access in accesses.withLock({ $0 }) {
      inputs.add(path(of: access.name), access.stamp, takenAt: access.moment)
    }
  }

  static let themes = ["team", "compact", "wall"]

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
    "team.css": PackageResources.team_css,
    "wall.css": PackageResources.wall_css,
    "words-en.json": PackageResources.words_en_json,
    "words-de.json": PackageResources.words_de_json,
    "words-es.json": PackageResources.words_es_json,
    "words-fr.json": PackageResources.words_fr_json,
    "words-zh.json": PackageResources.words_zh_json,
  ]
}
