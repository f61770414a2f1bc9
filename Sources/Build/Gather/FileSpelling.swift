import Files
import Manifest

/// Finds files whose names are the same text in other bytes: `é` is one scalar or two, and archives of
/// one system have what lists of another do not.
struct FileSpelling {
  private let files: FileSource
  /// The names in a folder; equal texts are one key.
  private var folders: [String: [String: String]] = [:]
  /// Whether one of the names may come yet, which no stamp would show.
  private(set) var hasMissing = false

  init(_ files: FileSource) { self.files = files }

  /// Gives pictures the names that they have on the disk.
  mutating func correct(_ user: inout User) {
    for (number, avatar) in user.avatars.enumerated() {
      guard case .file(let path) = avatar.kind, let found = self.path(of: path.text) else {
        continue
      }
      user.avatars[number].kind = .file(SourcePath(found))
    }
  }

  /// Nil if the file is there, or no other is.
  private mutating func path(of path: String) -> String? {
    guard !path.utf8.allSatisfy({ $0 < 0x80 }), (try? files.stamp(of: path)) == nil else {
      return nil
    }
    var found = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      let isPlain = part.utf8.allSatisfy { $0 < 0x80 }
      guard let name = isPlain ? String(part) : names(in: found)[String(part)] else {
        hasMissing = true
        return nil
      }
      found += name + "/"
    }
    return String(found.dropLast())
  }

  private mutating func names(in folder: String) -> [String: String] {
    if let known = folders[folder] { return known }
    let entries = try? files.folder.entries(
      beneath: folder.isEmpty ? "." : folder, allowOutside: files.allowOutside
    ).entries
    let names = (entries ?? []).map { String($0.name) }
    let found = Dictionary(names.map { ($0, $0) }) { first, _ in first }
    folders[folder] = found
    return found
  }
}
