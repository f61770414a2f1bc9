import Documents
import Files
import Foundation
import Mustache
import Synchronization

/// The look of the gallery: templates and a style sheet, file by file from the user's folder or
/// from the copy compiled in.
struct Templates: Sendable {
  let set: TemplateSet
  let styleSheet: [UInt8]
  /// Names that no value has.
  let warnings: [Diagnostic]

  static let folderName = "templates"
  static let styleSheetName = "gallery.css"
  private static let byteLimit = 1 << 20

  /// - Parameters:
  ///   - folder: As typed; nil means `templates/` in the working directory, if it is there.
  ///   - inputs: Is told every file that was read or missing.
  /// - Throws: `BuildFailure.usage` for templates that cannot be read or make no sense.
  init(named folder: String?, inputs: inout Inputs) throws {
    let path = folder ?? Self.folderName
    let own: Folder?
    do throws(FileError) {
      own = try Folder(opening: path)
    } catch {
      guard folder == nil, error.reason == .notFound else {
        throw BuildFailure.usage(.unreadableTemplate(path, error.explanation))
      }
      own = nil
    }
    var found: [String: [UInt8]] = [:]
    for name in Self.compiledIn.keys.sorted() {
      found[name] = try Self.read(name, in: own, path: path, &inputs) ?? Self.compiledIn[name]
    }
    styleSheet = found[Self.styleSheetName] ?? []
    let reader = LooseTemplates(folder: own, path: path)
    let source = TemplateSource(
      bytes: { [found] name in try found["\(name).mustache"] ?? reader.read("\(name).mustache") },
      file: { "\(path)/\($0).mustache" })
    do throws(MustacheError) {
      set = try TemplateSet(loading: ["index"], from: source)
    } catch {
      throw BuildFailure.usage(Diagnostic(error))
    }
    warnings = set.unknownNames(known: GalleryPages.vocabulary).map { error in
      var warning = Diagnostic(error)
      warning.severity = .warning
      return warning
    }
    for file in reader.files { inputs.add("\(path)/\(file.name)", file.stamp) }
  }

  /// A file of the user's own; nil when there is none.
  private static func read(
    _ name: String, in folder: Folder?, path: String, _ inputs: inout Inputs
  ) throws -> [UInt8]? {
    guard let folder else {
      inputs.add("\(path)/\(name)", nil)
      return nil
    }
    let moment = FileStamp.now()
    do throws(FileError) {
      let file = try folder.open(beneath: name)
      let bytes = try file.readBytes(upTo: byteLimit)
      inputs.add("\(path)/\(name)", file.stamp, takenAt: moment)
      return bytes
    } catch  where error.reason == .notFound {
      inputs.add("\(path)/\(name)", nil)
      return nil
    } catch {
      throw BuildFailure.usage(.unreadableTemplate("\(path)/\(name)", error.explanation))
    }
  }

  private static let compiledIn: [String: [UInt8]] = [
    "layout.mustache": PackageResources.layout_mustache,
    "index.mustache": PackageResources.index_mustache,
    "person.mustache": PackageResources.person_mustache,
    "button.mustache": PackageResources.button_mustache,
    styleSheetName: PackageResources.gallery_css,
  ]
}

/// Templates that only the user's own templates name; noted as they are read.
private final class LooseTemplates: Sendable {
  private let folder: Folder?
  private let path: String
  private let noted = Mutex<[(name: String, stamp: FileStamp?)]>([])

  var files: [(name: String, stamp: FileStamp?)] { noted.withLock { $0 } }

  init(folder: Folder?, path: String) {
    self.folder = folder
    self.path = path
  }

  func read(_ name: String) throws(FileError) -> [UInt8]? {
    guard let folder else { return nil }
    do throws(FileError) {
      let file = try folder.open(beneath: name)
      let bytes = try file.readBytes(upTo: 1 << 20)
      noted.withLock { $0.append((name, file.stamp)) }
      return bytes
    } catch  where error.reason == .notFound {
      return nil
    }
  }
}

extension Diagnostic {
  init(_ error: MustacheError) {
    var place = Place(file: error.template)
    if let line = error.line {
      place.position = Position(line: line, column: error.column ?? 1)
    }
    self.init(
      .error, error.code, error.message, at: place, note: error.note, help: error.help)
  }

  fileprivate static func unreadableTemplate(_ path: String, _ why: String) -> Diagnostic {
    Diagnostic(.error, "template-unreadable", "cannot read the template \(path)", note: why)
  }
}
