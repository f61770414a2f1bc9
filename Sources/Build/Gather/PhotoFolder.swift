import Files
import Foundation
import Manifest

/// The folder that has the photos of a list if they are not where the list says.
///
/// It is searched for in the folder of the manifest and in the one around it. Nothing else there is read.
struct PhotoFolder {
  /// Entries of folders that a search reads.
  private static let limit = 10_000
  /// Relative to the folder of the manifest, with a slash at its end.
  let path: String
  /// The names in it, by the names in the list.
  private let names: [String: String]

  /// Nil if at most a few photos are missing, or if no folder has four fifths of those.
  init?(for users: [User], beneath folder: Folder, allowOutside: Bool, noting inputs: inout Inputs)
  {
    let files = FileSource(folder: folder, allowOutside: allowOutside)
    let paths = users.lazy.flatMap(\.ownFiles)
    func isMissing(_ path: String) -> Bool { (try? files.stamp(of: path)) == nil }
    let some = paths.prefix(20)
    let missing = some.count(where: isMissing)
    guard missing > 0, missing * 5 >= some.count * 4 else { return nil }
    let wanted = Set(paths.filter(isMissing).map(Self.name))
    // What is added later anywhere near the list may be what is missing.
    inputs.distrust()
    var places = [(path: "", folder: folder)]
    if let around = Self.around(folder) {
      places.append(("../", around))
    }
    for place in places {
      var found: (path: String, names: [String: String])?
      place.folder.visit(entries: Self.limit) { path, entries in
        let files = entries.filter { $0.kind == .file }.map { String($0.name) }
        let names = Dictionary(files.map { (Self.name($0), $0) }) { first, _ in first }
          .filter { wanted.contains($0.key) }
        guard names.count * 5 >= wanted.count * 4 else { return true }
        found = (path, names)
        return false
      }
      guard let found else { continue }
      path = place.path + (found.path == "." ? "" : found.path + "/")
      names = found.names
      return
    }
    return nil
  }

  /// Names the pictures that are in the folder.
  func correct(_ user: inout User) {
    for (number, avatar) in user.avatars.enumerated() where avatar.fallback == nil {
      guard case .file(let path) = avatar.kind, let name = names[Self.name(path.text)] else {
        continue
      }
      user.avatars[number].kind = .file(SourcePath(self.path + name))
    }
  }

  /// What is compared: the name without its folders, which may be those of Windows, in lower case.
  private static func name(_ path: String) -> String {
    (path.split { "/\\".contains($0) }.last ?? "").lowercased()
  }

  /// The folder around the manifest's: not above a repository, and not the home folder, the root, or a folder in
  /// which everybody can write, such as `/tmp`.
  private static func around(_ folder: Folder) -> Folder? {
    let home = FileManager.default.homeDirectoryForCurrentUser.resolvingSymlinksInPath().path
    let url = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath()
    let path = url.deletingLastPathComponent().path
    let rights = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    guard ![url.path, path].contains(home), path != "/", let rights, rights & 0o002 == 0,
      (try? folder.kind(of: ".git")) == nil
    else { return nil }
    return try? Folder(opening: path)
  }
}

extension User {
  /// The paths of pictures that the user's own record names.
  fileprivate var ownFiles: [String] {
    avatars.compactMap { avatar in
      guard case .file(let path) = avatar.kind, avatar.fallback == nil else { return nil }
      return path.text
    }
  }
}

extension Folder {
  /// Visits this folder and those beneath it, the nearest first, until `visit` returns false; leaves out
  /// hidden ones, links, and the outputs and caches of sitegen and others, which have only copies.
  func visit(entries limit: Int, _ visit: (_ path: String, _ entries: [FolderEntry]) -> Bool) {
    var folders = ["."]
    var (next, left) = (0, limit)
    while next < folders.count, left > 0 {
      let path = folders[next]
      let entries = (try? self.entries(beneath: path, allowOutside: false).entries) ?? []
      next += 1
      left -= entries.count
      let marks = [FolderRules.ledgerName, FolderRules.lockName]
      if entries.contains(where: { marks.contains(String($0.name)) }) { continue }
      guard visit(path, entries) else { return }
      folders += entries.filter {
        $0.kind == .folder && !$0.name.hasPrefix(".")
          && !["node_modules", "_site"].contains($0.name)
      }.map(\.path)
    }
  }
}
