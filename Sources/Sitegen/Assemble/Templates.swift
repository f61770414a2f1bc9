import Documents
import Files
import Foundation
import Mustache
import Synchronization

/// The look of the gallery: templates, a style sheet and a script, file by file from the user's folder or
/// from the copy compiled in.
struct Templates: Sendable {
  let set: TemplateSet
  let styleSheet: [UInt8]
  let script: [UInt8]
  /// Only some sites ask for it.
  let touchScript: [UInt8]
  /// Names that no value has.
  let warnings: [Diagnostic]

  static let folderName = "templates"
  static let styleSheetName = "gallery.css"
  static let scriptName = "gallery.js"
  static let touchScriptName = "buttons.js"

  /// - Parameters:
  ///   - folder: As typed; nil means `templates/` in the working directory, if it is there.
  ///   - inputs: Is told every file that was read or missing.
  /// - Throws: `BuildFailure.usage` for templates that cannot be read or make no sense.
  init(named folder: String?, inputs: inout Inputs) throws {
    do throws(MustacheError) {
      let reader = try TemplateReader(named: folder)
      // All of ours at once: also what the user's own templates do not include is looked for.
      var found: [String: [UInt8]] = [:]
      for name in Self.compiledIn.keys.sorted() {
        do throws(TemplateReader.Failure) {
          found[name] = try reader.read(name) ?? Self.compiledIn[name]
        } catch {
          throw .unreadable(reader.path(of: name), note: error.description)
        }
      }
      styleSheet = found[Self.styleSheetName] ?? []
      script = found[Self.scriptName] ?? []
      touchScript = found[Self.touchScriptName] ?? []
      let source = TemplateSource(
        bytes: { [found] name in
          try found["\(name).mustache"] ?? reader.read("\(name).mustache")
        },
        file: { reader.path(of: "\($0).mustache") })
      set = try TemplateSet(loading: ["index", "buttons"], from: source)
      reader.tell(&inputs)
    } catch {
      throw BuildFailure.usage(Diagnostic(error))
    }
    warnings = set.unknownNames(known: GalleryPages.vocabulary).map { error in
      var warning = Diagnostic(error)
      warning.severity = .warning
      return warning
    }
  }

  private static let compiledIn: [String: [UInt8]] = [
    "layout.mustache": PackageResources.layout_mustache,
    "index.mustache": PackageResources.index_mustache,
    "person.mustache": PackageResources.person_mustache,
    "button.mustache": PackageResources.button_mustache,
    "buttons.mustache": PackageResources.buttons_mustache,
    styleSheetName: PackageResources.gallery_css,
    scriptName: PackageResources.gallery_js,
    touchScriptName: PackageResources.buttons_js,
  ]
}

/// Reads the user's own templates, and remembers what it read.
private final class TemplateReader: Sendable {
  /// Why a file cannot be read, in words for the user.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private struct Look {
    var name: String
    /// Nil when there was no such file.
    var stamp: FileStamp?
    /// Before it was read.
    var moment: Int64
  }

  private static let byteLimit = 1 << 20

  /// Nil when the user has no templates.
  private let folder: Folder?
  /// As it was typed.
  private let folderPath: String
  private let looks = Mutex<[Look]>([])

  init(named folder: String?) throws(MustacheError) {
    folderPath = folder ?? Templates.folderName
    do throws(FileError) {
      self.folder = try Folder(opening: folderPath)
    } catch {
      guard folder == nil, error.reason == .notFound else {
        throw .unreadable(folderPath, note: error.explanation)
      }
      self.folder = nil
    }
  }

  func path(of name: String) -> String { "\(folderPath)/\(name)" }

  /// The bytes of a file, nil when there is none.
  func read(_ name: String) throws(Failure) -> [UInt8]? {
    let moment = FileStamp.now()
    guard let folder else {
      note(Look(name: name, stamp: nil, moment: moment))
      return nil
    }
    do throws(FileError) {
      let file = try folder.open(beneath: name)
      let bytes = try file.readBytes(upTo: Self.byteLimit)
      note(Look(name: name, stamp: file.stamp, moment: moment))
      return bytes
    } catch  where error.reason == .notFound {
      note(Look(name: name, stamp: nil, moment: moment))
      return nil
    } catch {
      throw Failure(description: error.explanation)
    }
  }

  func tell(_ inputs: inout Inputs) {
    for look in looks.withLock({ $0 }) {
      inputs.add(path(of: look.name), look.stamp, takenAt: look.moment)
    }
  }

  private func note(_ look: Look) {
    looks.withLock { $0.append(look) }
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
}
