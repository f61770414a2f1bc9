import Build
import Bytes
import Diagnostics
import Files
import Foundation
import Manifest

/// A site's manifest, and the folder that contains its output and cache.
struct SiteLocation: Equatable {
  /// The manifest's path; without a manifest, the path of the list or folder of people.
  private(set) var manifest = Self.names[0]
  /// The text of a generated manifest; nil if the site has a manifest file.
  private(set) var text: String?
  /// The site's folder with a trailing slash; empty for the working directory.
  private(set) var folder = ""
  /// The URL of the people's data, or its path relative to the parent of the site's folder; nil if
  /// the site has a manifest.
  private(set) var people: String?
  /// The title, from the name of the folder or list; empty if the site has a manifest.
  private(set) var title = ""

  /// Possible manifest paths; the first that exists is used.
  static let names = ["content/", ""].flatMap { folder in
    ["yaml", "yml", "json"].map { "\(folder)manifest.\($0)" }
  }

  /// Finds the site at a command's PATH, which may also be a list or folder of people.
  init(
    path: String?, manifest: String?, command: String, mayBeMade: Bool = true
  ) throws(Diagnostic) {
    guard var path else {
      if manifest == nil, Self.manifest(in: "") == nil, try readMade("", command) { return }
      self.manifest = manifest ?? Self.manifest(in: "") ?? self.manifest
      folder = Self.site(of: self.manifest)
      return
    }
    guard manifest == nil else {
      throw .usage(
        .badValue, "\(path.quoted) and --manifest cannot be used together", command,
        help: "omit one of them")
    }
    if Self.isAddress(path) {
      let end = path.firstIndex { "?#".contains($0) } ?? path.endIndex
      self.manifest = path[..<end].split(separator: "/").last.map(String.init) ?? ""
      folder = self.manifest + "-site/"
      // Omit a query: it may contain a secret, and `people` is written to the cache.
      people = end == path.endIndex ? path : self.manifest
      title = Self.title(of: self.manifest, isFolder: false)
      text = Self.manifest(of: path, title: title)
      return
    }
    if let repository = path.repository, FileManager.default.fileExists(atPath: repository + "/.") {
      let own = URL(fileURLWithPath: repository).standardizedFileURL.path
      try readPeople(own + ".git", as: own + "/git:.", from: "git:.", command)
      people = "git:" + parts(of: own).name
      title = parts(of: own).name
      // PATH may be a subfolder of the repository, whose root is then outside PATH.
      text = Self.manifest(of: "git:.", title: title) + "allowOutside: true\n"
      return
    }
    while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    let inside = path == "/" ? path : path + "/"
    let isFolder = FileManager.default.fileExists(atPath: inside + ".")
    // In `_data/team/*.yml`, the part before the glob is the folder of people.
    if !FileManager.default.fileExists(atPath: path), let (start, pattern) = Self.pattern(in: path),
      FileManager.default.fileExists(atPath: start + "/.")
    {
      try readPeople(start, as: start + "/", from: pattern, command)
      return
    }
    guard FileManager.default.fileExists(atPath: path) || Self.isClosed(path) else {
      throw .usage(
        .badValue, "cannot find \(path.quoted)", command, help: Self.help(onMissing: path))
    }
    let name = parts(of: path).name
    if let own = isFolder ? Self.manifest(in: inside) : Self.names.contains(name) ? path : nil {
      self.manifest = own
      folder = Self.site(of: own)
    } else if isFolder, mayBeMade, try readMade(path, command) {
      return
    } else {
      try readPeople(path, as: isFolder ? inside : path, from: isFolder ? "." : name, command)
    }
  }

  /// Puts the site next to the list or folder of people, not inside that folder.
  private mutating func readPeople(
    _ path: String, as manifest: String, from name: String, _ command: String
  ) throws(Diagnostic) {
    var (parent, last) = parts(of: path)
    if [".", "..", ""].contains(last) {
      (parent, last) = parts(of: URL(fileURLWithPath: path).standardizedFileURL.path)
    }
    guard !last.isEmpty else {
      throw .usage(.badValue, "the root folder cannot be a folder of people", command)
    }
    self.manifest = manifest
    // Keep the extension: `team.csv`, `team.json` and the folder `team` are separate sites.
    folder = parent + (last.hasPrefix(".") ? String(last.dropFirst()) : last) + "-site/"
    let isFolder = manifest.hasSuffix("/")
    people = isFolder && name != "." ? "\(last)/\(name)" : last
    title = Self.title(of: last, isFolder: isFolder)
    text = Self.manifest(of: name, title: title)
  }

  private static func title(of name: String, isFolder: Bool) -> String {
    let name = String(name.drop { $0 == "." }).split(separator: "_").joined(separator: " ")
    let title = (isFolder ? name : NSString(string: name).deletingPathExtension).plain
    // Keep the case of names such as `iPhone team`.
    let isSmall = !title.prefix { $0 != " " }.contains(where: \.isUppercase)
    return isSmall ? title.prefix(1).uppercased() + title.dropFirst() : title
  }

  /// Reads a site that sitegen built without a manifest; returns false for other folders.
  private mutating func readMade(_ path: String, _ command: String) throws(Diagnostic) -> Bool {
    let inside = path.isEmpty ? "" : path + "/"
    guard let bytes = FileManager.default.contents(atPath: inside + ".sitegen/report.json"),
      let name = (try? JSONDecoder().decode(Report.self, from: bytes))?.people
    else { return false }
    let (parent, last) = parts(of: path)
    let beside = [".", "..", ""].contains(last) ? inside + "../" : parent
    // The report is untrusted, so the name in it must match the name of the folder.
    let site = URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.lastPathComponent
    let own = name.repository.map { $0 + ".git" } ?? name
    let names = own.split(separator: "/", omittingEmptySubsequences: false)
    let data = Self.isAddress(name) ? names.last : names.first
    guard let data, !names.contains(".."), site == data.drop(while: { $0 == "." }) + "-site" else {
      return false
    }
    do throws(Diagnostic) {
      self = try SiteLocation(
        path: Self.isAddress(name)
          ? name : name.repository.map { "git:" + beside + $0 } ?? beside + name,
        manifest: nil, command: command, mayBeMade: false)
    } catch {
      // `clean` and `verify` work on existing output even if the people's data is gone.
      guard ["clean", "verify"].contains(command) else { throw error }
    }
    folder = inside
    return true
  }

  private static func help(onMissing path: String) -> String {
    let (parent, name) = parts(of: path)
    let names = try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)
    let longer = names?.filter { name.count > 2 && $0.lowercased().contains(name.lowercased()) }
    let near = longer?.min() ?? nearest(to: name, among: names ?? [])
    return near.map { "did you mean `\(parent)\($0)`?" }
      ?? "specify a site folder, a list of people or its URL, or a folder of pictures"
  }

  /// Splits a path with wildcards into a folder, without a trailing slash, and a glob.
  static func pattern(in path: String) -> (folder: String, pattern: String)? {
    guard let star = path.firstIndex(where: { "*?".contains($0) }) else { return nil }
    let (folder, name) = parts(of: String(path[..<star]))
    let isPlain = folder.utf8.count > 1
    return (
      isPlain ? String(folder.dropLast()) : folder.isEmpty ? "." : folder, name + path[star...]
    )
  }

  static func isAddress(_ path: String) -> Bool {
    path.hasPrefix("https://") || path.hasPrefix("http://")
  }

  private static func manifest(of path: String, title: String) -> String {
    """
    version: 1
    site: { title: \(json(title)) }
    pages: { theme: team }
    users:
      from: \(json(path))
    fallback: [initials]

    """
  }

  /// Returns a JSON string, which is also valid YAML.
  static func json(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
  }

  private static func manifest(in folder: String) -> String? {
    names.map { folder + $0 }.first { FileManager.default.fileExists(atPath: $0) }
      // Without this check, an unreadable site would look like a folder of people.
      ?? (isClosed(folder + "content/.") ? folder + names[0] : nil)
  }

  private static func isClosed(_ path: String) -> Bool {
    do throws(FileError) {
      _ = try Folder(opening: path)
      return false
    } catch {
      return error.reason == .denied
    }
  }

  private static func site(of manifest: String) -> String {
    var folders = manifest.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    if folders.last == "content" { folders.removeLast() }
    return folders.map { $0 + "/" }.joined()
  }
}
