import Diagnostics
import Files
import Manifest

/// Finds the file that was meant where one is missing: with other capitals, another ending, or in
/// another folder.
struct NearestFile {
  private let folder: Folder
  /// What lies in folders that were looked into.
  private var names: [String: [String]] = [:]
  /// The first picture of each name below the folder, in small letters; nil before somebody asks.
  private var pictures: [String: String]?

  /// A hundred are enough to see what is wrong with all.
  private var left = 100

  init(beneath folder: Folder) { self.folder = folder }

  /// What to do about a picture that is missing; nil too where the file itself is there.
  mutating func help(for path: String) -> String? {
    guard left > 0 else { return nil }
    left -= 1
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
    if !path.hasPrefix("/"), let found = spelling(of: parts) {
      return found == parts.joined(separator: "/") ? nil : "there is \(found.quoted)"
    }
    guard let name = parts.last, let found = picture(named: name) else { return nil }
    let end = "/" + parts.joined(separator: "/")
    let start = ("/" + found).hasSuffix(end) ? String(("/" + found).dropLast(end.count)) : nil
    if path.hasPrefix("/"), let start {
      let root = start.isEmpty ? "." : String(start.dropFirst())
      return "there is \(found.quoted): say in `users` what / is, as in root: \(root)"
    }
    let template =
      start.map { $0.dropFirst() + "/{photo}" }
      ?? found.dropLast(name.count) + (parts.count == 1 ? "{photo}" : "{photo | file}")
    return "there is \(found.quoted): for a list, say so in `fields`, as in avatar: \"\(template)\""
  }

  private mutating func spelling(of parts: [String]) -> String? {
    var found = "."
    for (index, part) in parts.enumerated() {
      let names = names(in: found)
      let lower = part.lowercased()
      let name =
        names.first { $0 == part } ?? names.first { $0.lowercased() == lower }
        ?? (index == parts.count - 1
          ? names.first { stem($0.lowercased()) == stem(lower) && $0.isPictureName } : nil)
      guard let name else { return nil }
      found = found == "." ? name : "\(found)/\(name)"
    }
    return found
  }

  private mutating func names(in path: String) -> [String] {
    if let known = names[path] { return known }
    let found = entries(in: path).map { String($0.name) }
    names[path] = found
    return found
  }

  private func entries(in path: String) -> [FolderEntry] {
    (try? folder.entries(beneath: path, allowOutside: false).entries) ?? []
  }

  /// The one in the fewest folders; sites and caches of sitegen and of others have only copies.
  private mutating func picture(named name: String) -> String? {
    if let pictures { return pictures[name.lowercased()] }
    var found: [String: String] = [:]
    var folders = ["."]
    var next = 0
    while next < min(folders.count, 1_000) {
      let entries = entries(in: folders[next])
      next += 1
      let marks = [BuildContext.ledgerName, BuildContext.lockName]
      if entries.contains(where: { marks.contains(String($0.name)) }) { continue }
      for entry in entries where !entry.name.hasPrefix(".") {
        let name = String(entry.name)
        if entry.kind == .folder, !["node_modules", "_site"].contains(name) {
          folders.append(entry.path)
        } else if name.isPictureName, found[name.lowercased()] == nil {
          found[name.lowercased()] = entry.path
        }
      }
    }
    pictures = found
    return found[name.lowercased()]
  }

  private func stem(_ name: String) -> Substring {
    name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
  }
}
