import Diagnostics
import Files
import Foundation
import Manifest
import Recipes

/// A search for pictures that are not at the path given in the manifest or list.
struct PictureSearch {
  private let files: FileSource
  /// File paths; the lowercase keys are the path, the path without extension, and `*/` + file name.
  private var index: [String: String]?
  /// Whether files are missing; stamps cannot detect a new file with a differently normalized name.
  private(set) var hasMissing = false

  init(_ files: FileSource) { self.files = files }

  private mutating func found(_ key: String) -> String? {
    if let index { return index[key] }
    var index: [String: String] = [:]
    for (folder, names, _) in files.folder.filesBelow() {
      for name in names {
        let lower = (folder + name).lowercased()
        let keys = name.isPictureName ? [lower, lower.stem, "*/" + name.lowercased()] : [lower]
        for key in keys where index[key] == nil { index[key] = folder + name }
      }
    }
    self.index = index
    return index[key]
  }

  /// Corrects paths that differ from the names on disk only in Unicode normalization.
  mutating func correct(_ user: inout User) {
    for (number, avatar) in user.avatars.enumerated() {
      guard case .file(let path) = avatar.kind, !path.text.utf8.allSatisfy({ $0 < 0x80 }),
        (try? files.stamp(of: path.text)) == nil
      else { continue }
      // Swift's `==` also matches strings in other Unicode normalizations.
      let name = path.text.hasPrefix("./") ? String(path.text.dropFirst(2)) : path.text
      if let found = found(name.lowercased()), found == name {
        user.avatars[number].kind = .file(SourcePath(found))
      } else {
        hasMissing = true
      }
    }
  }

  /// Returns help for a missing picture: a similar path, or a setting that finds the file.
  mutating func help(for path: String) -> String? {
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
    let wanted = parts.joined(separator: "/")
    let lower = wanted.lowercased()
    if !path.hasPrefix("/"), let found = found(lower) ?? found(lower.stem) {
      return found == wanted ? nil : "did you mean \(found.quoted)?"
    }
    guard let name = parts.last, let found = found("*/" + name.lowercased()) else { return nil }
    let end = "/" + wanted
    let start = ("/" + found).hasSuffix(end) ? String(("/" + found).dropLast(end.count)) : nil
    if path.hasPrefix("/"), let start {
      let root = start.isEmpty ? "." : String(start.dropFirst())
      return "found \(found.quoted): in `users`, set root: \(root)"
    }
    let template =
      start.map { $0.dropFirst() + "/{COLUMN}" }
      ?? found.dropLast(name.count) + (parts.count == 1 ? "{COLUMN}" : "{COLUMN | file}")
    return "found \(found.quoted): for a list, set `fields`, e.g. avatar: \"\(template)\""
  }

  /// Finds the photo folder if nearly all photos in the lists are missing.
  ///
  /// The folder must contain 80% of the photos. The search covers the manifest's folder and its
  /// parent or, in a repository, all parents up to the root.
  static func findPhotos(
    of manifest: inout Manifest, beneath folder: Folder, noting inputs: inout Inputs,
    at moment: Int64, isListed: (User) -> Bool
  ) -> Diagnostic? {
    let files = FileSource(folder: folder, allowOutside: manifest.allowOutside)
    var photos: [(user: Int, avatar: Int, path: String)] = []
    var hasOthers = false
    for (number, user) in manifest.users.enumerated() where isListed(user) {
      for (index, avatar) in user.avatars.enumerated() where avatar.fallback == nil {
        guard case .file(let path) = avatar.kind else {
          hasOthers = true
          continue
        }
        photos.append((number, index, path.text))
      }
    }
    if photos.isEmpty {
      return findPhotosByName(of: &manifest, folder, noting: &inputs, at: moment, isListed)
    }
    func isMissing(_ photo: (user: Int, avatar: Int, path: String)) -> Bool {
      (try? files.stamp(of: photo.path)) == nil
    }
    let some = photos.prefix(20)
    let missing = some.count(where: isMissing)
    guard missing > 0, missing * 5 >= some.count * 4 else { return nil }
    // Skip ambiguous file names, as in `ada/avatar.png` and `bob/avatar.png`.
    let paths = Dictionary(grouping: Set(photos.filter(isMissing).map(\.path)), by: name)
    let wanted = Set(paths.filter { $0.value.count == 1 }.keys)
    guard !wanted.isEmpty else { return nil }
    // Do not rely on stamps: the missing photos may be added to any of the searched folders.
    inputs.distrust()
    var unreadable: String?
    for (start, place) in [("", folder)] + around(folder) {
      for (path, names, stamp) in place.filesBelow() {
        if stamp == nil, start.isEmpty { unreadable = unreadable ?? path }
        // `photo: ada` matches ada.jpg. Skip names without letters: `1` could mean any 1.jpg.
        let stems = names.filter { $0.isPictureName && $0.stem.contains(where: \.isLetter) }
          .map { (name($0.stem), $0) }
        let names = Dictionary(names.map { (name($0), $0) } + stems) { first, _ in first }
          .filter { wanted.contains($0.key) }
        guard names.count * 5 >= wanted.count * 4 else { continue }
        let isExact = photos.allSatisfy { photo in
          names[name(photo.path)].map { photo.path.split { "/\\".contains($0) }.last == $0[...] }
            == true
        }
        for photo in photos {
          guard let found = names[name(photo.path)] else { continue }
          manifest.users[photo.user].avatars[photo.avatar].kind =
            .file(SourcePath(start + path + found))
        }
        let photos = start + path
        manifest.photoFolder = photos
        return Diagnostic(
          .note, .usersGuess,
          "the photos are not at the paths in the list; using the photos in "
            + (photos.isEmpty ? "the list's folder" : photos),
          help: isExact && !hasOthers
            ? "to keep using them, set fields: { avatar: \"\(photos){COLUMN | file}\" }" : nil)
      }
    }
    return unreadable.map { Self.unreadable($0, .warning) }
  }

  /// Matches people to pictures by name, in the list's folder or one of its subfolders.
  private static func findPhotosByName(
    of manifest: inout Manifest, _ folder: Folder, noting inputs: inout Inputs, at moment: Int64,
    _ isListed: (User) -> Bool
  ) -> Diagnostic? {
    let people = manifest.users.indices.filter { number in
      let user = manifest.users[number]
      return isListed(user) && !user.refusesPhoto && user.avatars.allSatisfy { $0.fallback != nil }
    }
    guard people.count > 1 else { return nil }
    var unreadable: String?
    for (path, files, stamp) in folder.filesBelow(depth: 1) {
      if stamp == nil { unreadable = unreadable ?? path }
      // Record the folder's stamp, because a photo may be added later.
      inputs.add(
        folder.absolute(path.isEmpty ? "." : String(path.dropLast())), stamp, takenAt: moment)
      let pictures = Dictionary(grouping: files.filter(\.isPictureName)) { key($0.stem) }
      guard pictures.count * 5 >= people.count * 4 else { continue }
      // Skip people with the same name: the picture could show any of them.
      let names = Dictionary(grouping: people) { key(manifest.users[$0].name) }
      let found = names.compactMap { name, users -> (user: Int, picture: String)? in
        guard !name.isEmpty, users.count == 1, let pictures = pictures[name], pictures.count == 1
        else { return nil }
        return (users[0], path + pictures[0])
      }
      guard found.count * 5 >= people.count * 4 else { continue }
      for (user, picture) in found {
        let place = manifest.users[user].declared.location.position ?? .wholeFile
        manifest.users[user].avatars.insert(
          AvatarSource(.file(SourcePath(picture)), at: place), at: 0)
      }
      return Diagnostic(
        .note, .usersGuess,
        "using pictures named after people, from " + (path.isEmpty ? "the list's folder" : path))
    }
    return unreadable.map { Self.unreadable($0, .note) }
  }

  private static func unreadable(_ folder: String, _ severity: Diagnostic.Severity) -> Diagnostic {
    Diagnostic(
      severity, Reason.unreadable.rawValue,
      "cannot read \(folder.isEmpty ? "the list's folder" : folder), which may contain photos",
      help: "allow this user to read it, e.g. chmod u+rX")
  }

  private static func key(_ name: String) -> String {
    Folding.folded(name).filter { $0.isLetter || $0.isNumber }
  }

  private static func name(_ path: String) -> String {
    (path.split { "/\\".contains($0) }.last ?? "").lowercased()
  }

  /// Returns the parent folder or, in a repository, all parents up to the root.
  ///
  /// The search stops at `/`, the home folder and folders that any user can write to.
  private static func around(_ folder: Folder) -> [(start: String, folder: Folder)] {
    let variable = ProcessInfo.processInfo.environment["HOME"] ?? ""
    let name = variable.isEmpty ? NSHomeDirectory() : variable
    let home = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    var url = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath()
    var found: [(start: String, folder: Folder)] = []
    func isTop(_ folder: Folder) -> Bool { (try? folder.kind(of: ".git")) != nil }
    while found.count < 16, !isTop(found.last?.folder ?? folder), url.path != home {
      url.deleteLastPathComponent()
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      guard ![home, "/"].contains(url.path),
        let rights = attributes?[.posixPermissions] as? Int, rights & 0o002 == 0,
        let next = try? Folder(opening: url.path)
      else { break }
      found.append((String(repeating: "../", count: found.count + 1), next))
    }
    return found.last.map { isTop($0.folder) } == true ? found : Array(found.prefix(1))
  }
}

extension Folder {
  /// Lists files in this folder and its subfolders, nearest first.
  ///
  /// Hidden files and folders, symlinked folders, outputs and caches are skipped. Unreadable
  /// folders are listed without files and without a stamp.
  fileprivate func filesBelow(
    depth: Int = .max
  ) -> [(folder: String, names: [String], stamp: FileStamp?)] {
    var found: [(folder: String, names: [String], stamp: FileStamp?)] = []
    var folders = ["."]
    var (next, left) = (0, 100_000)
    while next < folders.count, left > 0 {
      let folder = folders[next]
      let (entries, stamp) = (try? entries(beneath: folder, allowOutside: false)) ?? ([], nil)
      next += 1
      left -= entries.count
      let marks = [FolderRules.ledgerName, FolderRules.lockName]
      if entries.contains(where: { marks.contains(String($0.name)) }) { continue }
      let visible = entries.filter { !$0.name.hasPrefix(".") }
      let files = visible.filter { $0.kind != .folder }.map { String($0.name) }
      found.append((folder == "." ? "" : folder + "/", files, stamp))
      guard (folder == "." ? 0 : folder.split(separator: "/").count) < depth else { continue }
      folders += visible.filter {
        $0.kind == .folder
          && !["node_modules", "_site", "lost+found", "System Volume Information"].contains($0.name)
      }.map(\.path)
    }
    return found
  }
}
