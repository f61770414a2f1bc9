import Diagnostics
import Files
import Mustache
import Plan

/// Reads the user's own templates, and remembers what it read.
final class TemplateReader: Sendable {
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
  private let looks = Guarded<[Look]>([])
  /// What is there, readable or not.
  private let present = Guarded<Set<String>>([])

  init(named folder: String?) throws(Diagnostic) {
    folderPath = folder ?? PageMaker.templatesFolder
    do throws(FileError) {
      self.folder = try Folder(opening: folderPath)
    } catch {
      guard folder == nil, error.reason == .notFound else {
        throw .unreadableTemplate(folderPath, note: error.explanation)
      }
      self.folder = nil
    }
  }

  func path(of name: String) -> String { "\(folderPath)/\(name)" }

  /// Whether such a file was there when it was read.
  func has(_ name: String) -> Bool { present.withLock { $0.contains(name) } }

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
      present.withLock { _ = $0.insert(name) }
      return bytes
    } catch  where error.reason == .notFound {
      note(Look(name: name, stamp: nil, moment: moment))
      return nil
    } catch {
      present.withLock { _ = $0.insert(name) }
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
