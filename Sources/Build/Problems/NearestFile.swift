import Diagnostics
import Files
import Manifest

/// Finds the picture that was meant if one is missing: with other capitals, another ending, or in
/// another folder.
struct NearestFile {
  private let folder: Folder
  /// Pictures below the folder in lower case, by path, by path without ending, and by `*/` and name;
  /// nil before the first question.
  private var pictures: [String: String]?
  /// A hundred are enough to see what is wrong with all.
  private var left = 100

  init(beneath folder: Folder) { self.folder = folder }

  /// What to do about a picture that is missing; nil if the file itself exists.
  mutating func help(for path: String) -> String? {
    guard left > 0 else { return nil }
    left -= 1
    let pictures = pictures ?? findPictures()
    self.pictures = pictures
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
    let wanted = parts.joined(separator: "/")
    let lower = wanted.lowercased()
    if !path.hasPrefix("/"), let found = pictures[lower] ?? pictures[stem(lower)] {
      return found == wanted ? nil : "there is \(found.quoted)"
    }
    guard let name = parts.last, let found = pictures["*/" + name.lowercased()] else { return nil }
    let end = "/" + wanted
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

  /// Those in the fewest folders come first.
  private func findPictures() -> [String: String] {
    var found: [String: String] = [:]
    folder.visit(entries: 100_000) { _, entries in
      for entry in entries where entry.kind != .folder && !entry.name.hasPrefix(".") {
        let name = String(entry.name)
        guard name.isPictureName else { continue }
        let lower = entry.path.lowercased()
        for key in [lower, stem(lower), "*/" + name.lowercased()] where found[key] == nil {
          found[key] = entry.path
        }
      }
      return true
    }
    return found
  }

  private func stem(_ path: String) -> String {
    path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
  }
}
