import Diagnostics
import Documents
import Files
import Manifest
import Plan

/// The user's input, read and checked: the manifest, its lists of users and the templates.
struct BuildInput {
  let manifest: Manifest
  let assemble: PreparedPages
  private(set) var diagnostics: Diagnostics
  let inputs: Inputs
  let lists: RemoteLists.Outcome

  /// Reads the input, and calls `note` with the files read, even if reading fails.
  init(
    _ options: BuildOptions, _ context: BuildContext?, _ cancellation: Cancellation? = nil,
    explains: Bool = false, note: (Inputs) -> Void = { _ in }
  ) throws {
    var inputs = Inputs()
    defer { note(inputs) }
    let remote = RemoteLists(context)
    (manifest, diagnostics) = try Self.readManifest(
      options, remote, cancellation ?? context?.cancellation ?? Cancellation(), explains: explains,
      &inputs)
    lists = remote.outcome
    assemble = try options.pages.prepare(options.templates, manifest, &inputs, &diagnostics)
    self.inputs = inputs
  }

  private static func readManifest(
    _ options: BuildOptions, _ remote: RemoteLists, _ cancellation: Cancellation, explains: Bool,
    _ inputs: inout Inputs
  ) throws -> (Manifest, Diagnostics) {
    let (folder, name) = try FolderRules.manifest(options)
    let syntax = options.manifestText == nil ? try syntax(of: options.manifest) : .yaml
    let moment = FileStamp.now()
    var bytes = options.manifestText.map { Array($0.utf8) } ?? []
    do throws(FileError) {
      if options.manifestText == nil {
        let file = try folder.open(beneath: name, allowOutside: true)
        bytes = try file.readBytes(upTo: DocumentLimits.standard.bytes)
        inputs.add(options.manifest, file.stamp, takenAt: moment)
      }
    } catch {
      throw BuildFailure.unreadableManifest(options.manifest, error)
    }
    let document = try Document(reading: bytes, syntax: syntax, file: options.manifest)
    let lists = UserLists(folder: folder, remote, cancellation)
    var reader = ManifestReader(lists)
    (reader.allowEmpty, reader.allowShrink) = (options.allowEmpty, options.allowShrink)
    reader.explains = explains
    reader.madeIDs = ServedOutput.madeIDs(in: options.output)
    reader.takesSubfolders = options.manifestText != nil
    var (manifest, diagnostics) = reader.read(document)
    try cancellation.check()
    for path in lists.shallow {
      diagnostics.add(
        Diagnostic(
          .warning, .shallowClone, "\(path.quoted) is a shallow clone, which lacks older commits",
          help: "run git fetch --unshallow; in GitHub Actions, set fetch-depth: 0 for checkout"
        ))
    }
    // The user cannot see the generated manifest, so positions in it are dropped.
    if options.manifestText != nil {
      diagnostics = diagnostics.changed { diagnostic in
        if diagnostic.location?.file == options.manifest, let path = diagnostic.path,
          !path.hasPrefix("users[")
        {
          diagnostic.location?.position = nil
          diagnostic.path = nil
        }
        return true
      }
    }
    for list in lists.asked {
      inputs.add(folder.absolute(list.path), list.stamp, takenAt: moment)
    }
    if let failure = remote.failure ?? lists.failure { throw failure }
    guard var manifest else { throw BuildFailure.usage(diagnostics) }
    let isListed = { (user: User) in
      options.manifestText != nil || user.declared.location.file != options.manifest
    }
    let found = PictureSearch.findPhotos(
      of: &manifest, beneath: folder, noting: &inputs, at: moment, isListed: isListed)
    if let found { diagnostics.add(found) }
    if options.isPreview, manifest.pages.styles == nil { manifest.pages.styles = true }
    return (manifest, diagnostics)
  }

  private static func syntax(of path: String) throws -> Syntax {
    let name = path.utf8.split(separator: UInt8(ascii: ".")).last.map { String($0) ?? "" } ?? ""
    switch Syntax(fileExtension: name) {
    case .json: return .json
    case .yaml: return .yaml
    default:
      throw BuildFailure.usage(
        .manifestUnreadable, "cannot tell whether \(path) is YAML or JSON",
        help: "name it manifest.yaml or manifest.json")
    }
  }
}

private final class UserLists: ListFiles {
  private(set) var asked: [(path: String, stamp: FileStamp?)] = []
  /// The first read failure; it must stop the build, because the site would otherwise lose people.
  private(set) var failure: BuildFailure?
  private(set) var shallow: [String] = []
  private let folder: Folder
  private let remote: RemoteLists
  private let cancellation: Cancellation

  init(folder: Folder, _ remote: RemoteLists, _ cancellation: Cancellation) {
    (self.folder, self.remote, self.cancellation) = (folder, remote, cancellation)
  }

  func fetch(
    _ list: ListAddress, _ network: NetworkSettings
  ) throws(ManifestReader.Refusal) -> ManifestReader.FetchedList {
    try remote.fetch(list, network)
  }

  func peek(_ path: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [UInt8] {
    do throws(FileError) {
      return try folder.open(beneath: path, allowOutside: allowOutside)
        .readChunk(at: 0, count: 4_096)
    } catch {
      // A dangling symlink, or a symlink to a folder, is not a picture.
      guard error.isOfMachine else { return [] }
      throw refusal(error)
    }
  }

  func names(in path: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [String] {
    var isOurs = false
    do throws(FileError) {
      let (entries, stamp) = try folder.entries(beneath: path, allowOutside: allowOutside)
      asked.append((path, stamp))
      let marks = [FolderRules.ledgerName, FolderRules.lockName]
      isOurs = entries.contains { marks.contains(String($0.name)) }
      let names = entries.filter { $0.kind == .file || $0.kind == .link || $0.kind == .folder }
        .map { String($0.name) + ($0.kind == .folder ? "/" : "") }
      guard isOurs else { return names }
    } catch {
      asked.append((path, nil))
      throw refusal(error)
    }
    throw ManifestReader.Refusal("it is a site or a cache that sitegen wrote", isAbsence: true)
  }

  func open(_ path: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [UInt8] {
    if let place = path.repository {
      let repository = try GitRepository(
        at: place, in: folder, allowOutside: allowOutside, cancellation)
      // Take the stamps first, so that commits made in the meantime are detected.
      for file in repository.inputs {
        asked.append((file, (try? Folder(opening: "/").stamp(of: Inputs.fromRoot(file))) ?? nil))
      }
      if repository.isShallow { shallow.append(path) }
      return try repository.contributors()
    }
    do throws(FileError) {
      let file = try folder.open(beneath: path, allowOutside: allowOutside)
      asked.append((path, file.stamp))
      return try file.readBytes(upTo: DocumentLimits.standard.listBytes)
    } catch {
      if asked.last?.path != path { asked.append((path, nil)) }
      throw refusal(error)
    }
  }

  private func refusal(_ error: FileError) -> ManifestReader.Refusal {
    if error.isOfMachine, failure == nil {
      failure = .unreadable(.usersUnreadable, error.path, error)
    }
    return ManifestReader.Refusal(error.explanation, isAbsence: error.reason == .notFound)
  }
}
