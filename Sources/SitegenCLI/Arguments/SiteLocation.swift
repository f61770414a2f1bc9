import Diagnostics
import Files
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

  /// Finds the site at `path`, the word after the command: a site, or people's data.
  ///
  /// If nothing is there, `mustExist: false` takes it for the folder of a deleted site.
  init(
    path: String?, manifest: String?, command: String, mustExist: Bool = true
  ) throws(Diagnostic) {
    guard var path else {
      self.manifest = manifest ?? Self.manifest(in: "") ?? self.manifest
      folder = Self.site(of: self.manifest)
      return
    }
    guard manifest == nil else {
      throw .usage(
        .badValue, "\(path.quoted) and --manifest together make no sense", command,
        help: "leave one of them out")
    }
    if Self.isAddress(path) {
      let end = path.firstIndex { "?#".contains($0) } ?? path.endIndex
      self.manifest = path[..<end].split(separator: "/").last.map(String.init) ?? ""
      folder = self.manifest + "-site/"
      text = Self.manifest(of: path)
      return
    }
    // What is in a folder is named by the folder.
    while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    let inside = path == "/" ? path : path + "/"
    let isFolder = FileManager.default.fileExists(atPath: inside + ".")
    // `_data/team/*.yml`: what lies before the pattern is the folder of the site's people.
    if !FileManager.default.fileExists(atPath: path), let (start, pattern) = Self.pattern(in: path),
      FileManager.default.fileExists(atPath: start + "/.")
    {
      try readPeople(start, as: start + "/", from: pattern, command)
      return
    }
    let exists = FileManager.default.fileExists(atPath: path) || Self.isClosed(path)
    guard exists || !mustExist else {
      throw .usage(
        .badValue, "there is no \(path.quoted)", command,
        help: "name the folder of a site, a list of people or its address, or a folder of pictures")
    }
    if isFolder, let own = Self.manifest(in: inside) {
      self.manifest = own
      folder = Self.site(of: own)
    } else if isFolder {
      try readPeople(path, as: inside, from: ".", command)
    } else {
      let name = Self.parts(of: path).name
      if Self.names.contains(name) {
        self.manifest = path
        folder = Self.site(of: path)
      } else if !exists {
        self.manifest = inside + self.manifest
        folder = Self.site(of: inside)
      } else {
        try readPeople(path, as: path, from: name, command)
      }
    }
  }

  /// The site of people's data lies beside it: what is in a folder of theirs stays theirs.
  private mutating func readPeople(
    _ path: String, as manifest: String, from name: String, _ command: String
  ) throws(Diagnostic) {
    var (parent, last) = Self.parts(of: path)
    // The name of `.` is known only to the system.
    if [".", "..", ""].contains(last) {
      (parent, last) = Self.parts(of: URL(fileURLWithPath: path).standardizedFileURL.path)
    }
    guard !last.isEmpty else {
      throw .usage(.badValue, "the root of all files is no folder of people", command)
    }
    self.manifest = manifest
    folder = Self.siteOfPeople(last, in: parent)
    text = Self.manifest(of: name)
  }

  /// With its ending: `team.csv`, `team.json` and the folder `team` are three sites.
  private static func siteOfPeople(_ name: String, in parent: String) -> String {
    parent + (name.hasPrefix(".") ? String(name.dropFirst()) : name) + "-site/"
  }

  /// The folder of a site at an absolute path, and that of people's data there; neither must exist.
  static func possibleFolders(of path: String) -> [String] {
    let own = site(of: names.contains(parts(of: path).name) ? path : path + "/")
    let (parent, name) = parts(of: pattern(in: path)?.folder ?? path)
    return [own, siteOfPeople(name, in: parent)]
  }

  /// Whether other sites may have their manifest in the same folder.
  var hasCustomName: Bool {
    text == nil && !Self.names.contains(Self.parts(of: manifest).name)
  }

  /// A folder without a slash at its end, and the pattern of files in it.
  static func pattern(in path: String) -> (folder: String, pattern: String)? {
    guard let star = path.firstIndex(where: { "*?".contains($0) }) else { return nil }
    let (folder, name) = parts(of: String(path[..<star]))
    let isPlain = folder.utf8.count > 1
    return (
      isPlain ? String(folder.dropLast()) : folder.isEmpty ? "." : folder, name + path[star...]
    )
  }

  /// Of a list on the network, whose site lies where the shell stands.
  static func isAddress(_ path: String) -> Bool {
    path.hasPrefix("https://") || path.hasPrefix("http://")
  }

  /// The folder with its slash, empty for a bare name, and what is behind it.
  static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let next = path.utf8.index(after: slash)
    return (String(path[..<next]), String(path[next...]))
  }

  /// The manifest that people's data has when nobody wrote one.
  static func manifest(of path: String, isOutside: Bool = false) -> String {
    """
    version: 1
    \(isOutside ? "# The people lie outside this folder.\nallowOutside: true\n" : "")
    # Names of columns are guessed; `fields` says what they are.
    users:
      from: \(json(path))

    # Who has no picture gets this.
    fallback: [initials]

    """
  }

  /// JSON is YAML.
  private static func json(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
  }

  private static func manifest(in folder: String) -> String? {
    names.map { folder + $0 }.first { FileManager.default.fileExists(atPath: $0) }
      // Else the folder would be taken for people's data; the build reports that it cannot be read.
      ?? (isClosed(folder + "content/.") ? folder + names[0] : nil)
  }

  /// Whether something may be there that this user may not look at.
  private static func isClosed(_ path: String) -> Bool {
    do throws(FileError) {
      _ = try Folder(opening: path)
      return false
    } catch {
      return error.reason == .denied
    }
  }

  /// The folder of a manifest, or the one around `content/`.
  private static func site(of manifest: String) -> String {
    var folders = manifest.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    if folders.last == "content" { folders.removeLast() }
    return folders.map { $0 + "/" }.joined()
  }
}
