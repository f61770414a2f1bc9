import Diagnostics
import Foundation
import Manifest

/// Where a site's manifest lies, and the folder that gets its output and its cache.
struct SiteLocation: Equatable {
  /// For a list or a folder of people, that path.
  private(set) var manifest = Self.names[0]
  /// What stands for the manifest that nobody wrote.
  private(set) var text: String?
  /// With a slash at its end; empty for where the shell stands.
  private(set) var folder = ""

  /// What a manifest is called, the first that is there.
  static let names = ["content/", ""].flatMap { folder in
    ["yaml", "yml", "json"].map { "\(folder)manifest.\($0)" }
  }

  /// `path` is what follows the command: a site, or people's data.
  init(path: String?, manifest: String?, command: String) throws(Diagnostic) {
    guard let path else {
      self.manifest = manifest ?? Self.manifest(in: "") ?? self.manifest
      folder = Self.site(of: self.manifest)
      return
    }
    guard manifest == nil else {
      throw .usage(
        .badValue, "\(path.quoted) and --manifest together make no sense", command,
        help: "leave one of them out")
    }
    let inside = path.hasSuffix("/") ? path : path + "/"
    let isFolder = FileManager.default.fileExists(atPath: inside + ".")
    guard FileManager.default.fileExists(atPath: path) else {
      throw .usage(
        .badValue, "there is no \(path.quoted)", command,
        help: "name the folder of a site, a list of people, or a folder of pictures")
    }
    if isFolder, let own = Self.manifest(in: inside) {
      self.manifest = own
      folder = inside
    } else if isFolder {
      try readPeople(path, as: inside, from: ".", command)
    } else if Self.names.contains((path as NSString).lastPathComponent) {
      self.manifest = path
      folder = Self.site(of: path)
    } else {
      try readPeople(path, as: path, from: (path as NSString).lastPathComponent, command)
    }
  }

  /// The site of people's data lies beside it: what is in a folder of theirs stays theirs.
  private mutating func readPeople(
    _ path: String, as manifest: String, from name: String, _ command: String
  ) throws(Diagnostic) {
    let names = (path as NSString).pathComponents
    // The name of `.` is known only to the system.
    let isPlain = names.last != "." && names.last != ".." && path != "/"
    let own = isPlain ? path : URL(fileURLWithPath: path).standardizedFileURL.path
    guard own != "/" else {
      throw .usage(.badValue, "the root of all files is no folder of people", command)
    }
    self.manifest = manifest
    let stem = name == "." ? own as NSString : (own as NSString).deletingPathExtension as NSString
    let last = stem.lastPathComponent
    let parent = (stem as NSString).deletingLastPathComponent
    folder = (parent.isEmpty || parent == "/" ? parent : parent + "/")
    folder += (last.hasPrefix(".") ? String(last.dropFirst()) : last) + "-site/"
    text = Self.manifest(of: name)
  }

  /// The manifest that people's data has when nobody wrote one.
  static func manifest(of path: String, isOutside: Bool = false) -> String {
    """
    version: 1
    \(isOutside ? "# The people lie outside this folder.\nallowOutside: true\n" : "")
    # Names of columns are guessed; `fields` says what they are.
    users:
      from: \(yaml(path))

    # Who has no picture gets this.
    fallback: [initials]

    """
  }

  private static func yaml(_ text: String) -> String {
    let plain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "./_-".unicodeScalars.contains($0)
    }
    // JSON is YAML.
    let bytes = try? JSONEncoder().encode(text)
    return plain ? text : String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  private static func manifest(in folder: String) -> String? {
    names.map { folder + $0 }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The folder of a manifest, or the one around `content/`.
  private static func site(of manifest: String) -> String {
    var folders = manifest.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    if folders.last == "content" { folders.removeLast() }
    return folders.map { $0 + "/" }.joined()
  }
}
