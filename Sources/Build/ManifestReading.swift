import Diagnostics
import Documents
import Files
import Manifest

/// Opens and reads the manifest and the user lists it names, remembering what was read.
struct ManifestReading {
  let manifest: Manifest
  private(set) var diagnostics: Diagnostics

  /// - Throws: `BuildFailure.usage` with every mistake there is.
  init(_ options: BuildOptions, inputs: inout Inputs) throws {
    let (folder, name) = try BuildContext.manifest(options)
    let syntax = try Self.syntax(of: options.manifest)
    let moment = FileStamp.now()
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try folder.open(beneath: name, allowOutside: true)
      bytes = try file.readBytes(upTo: DocumentLimits.standard.bytes)
      inputs.add(options.manifest, file.stamp, takenAt: moment)
    } catch {
      throw BuildFailure.usage(.unreadableManifest(options.manifest, error))
    }
    let document: Document
    do throws(Diagnostic) {
      document = try Document(reading: bytes, syntax: syntax, file: options.manifest)
    } catch {
      throw BuildFailure.usage(error)
    }
    let lists = UserLists(folder: folder)
    let reader = ManifestReader(allowEmpty: options.allowEmpty) {
      (path, allowOutside) throws(ManifestReader.Refusal) in
      try lists.open(path, allowOutside: allowOutside)
    }
    let (manifest, diagnostics) = reader.read(document)
    for list in lists.asked {
      inputs.add(
        list.path.hasPrefix("/") ? list.path : "\(folder.path)/\(list.path)",
        list.stamp, takenAt: moment)
    }
    guard let manifest else { throw BuildFailure.usage(diagnostics) }
    self.manifest = manifest
    self.diagnostics = diagnostics
  }

  /// The same with what else was noticed before the work begins.
  func adding(_ others: [Diagnostic]) -> ManifestReading {
    var reading = self
    for diagnostic in others { reading.diagnostics.add(diagnostic) }
    return reading
  }

  private static func syntax(of path: String) throws -> Syntax {
    let name = path.utf8.split(separator: UInt8(ascii: ".")).last.map { String($0) ?? "" } ?? ""
    switch Syntax(fileExtension: name) {
    case .json: return .json
    case .yaml: return .yaml
    default:
      throw BuildFailure.usage(
        Diagnostic(
          .error, .manifestUnreadable,
          "cannot tell whether \(path) is YAML or JSON",
          help: "name it manifest.yaml or manifest.json"))
    }
  }
}

/// The files with users, opened beneath the manifest's folder and read site image by site image.
private final class UserLists {
  /// Without a stamp where there was no such file.
  private(set) var asked: [(path: String, stamp: FileStamp?)] = []
  private let folder: Folder

  init(folder: Folder) {
    self.folder = folder
  }

  func open(
    _ path: String, allowOutside: Bool
  ) throws(ManifestReader.Refusal) -> ManifestReader.Pieces {
    do throws(FileError) {
      let file = try OpenList(try folder.open(beneath: path, allowOutside: allowOutside))
      asked.append((path, file.stamp))
      return { () throws(ManifestReader.Refusal) in
        do throws(FileError) {
          return try file.next()
        } catch {
          throw ManifestReader.Refusal(error)
        }
      }
    } catch {
      asked.append((path, nil))
      throw ManifestReader.Refusal(error)
    }
  }
}

extension ManifestReader.Refusal {
  fileprivate init(_ error: FileError) {
    self.init(
      error.explanation,
      help: error.reason == .notFound ? "paths are relative to the manifest" : nil)
  }
}

/// A file that is being read from its start to its end.
private final class OpenList {
  private let file: OpenFile
  private var offset: Int64 = 0

  var stamp: FileStamp { file.stamp }

  init(_ file: consuming OpenFile) throws(FileError) {
    self.file = file
  }

  func next() throws(FileError) -> [UInt8]? {
    let siteImage = try file.readChunk(at: offset, count: 1 << 18)
    offset += Int64(siteImage.count)
    return siteImage.isEmpty ? nil : siteImage
  }
}
