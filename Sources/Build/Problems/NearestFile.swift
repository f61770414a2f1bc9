import Files
import Manifest

/// Finds the file that was meant where one is missing: with other capitals, or another ending.
struct NearestFile {
  private let folder: Folder
  /// What lies in folders that were looked into.
  private var names: [String: [String]] = [:]

  /// A hundred are enough to see what is wrong with all.
  private var left = 100

  init(beneath folder: Folder) { self.folder = folder }

  /// Nil too where the file itself is there.
  mutating func path(for path: String) -> String? {
    guard left > 0, !path.hasPrefix("/") else { return nil }
    left -= 1
    var found = "."
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
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
    return found == parts.joined(separator: "/") ? nil : found
  }

  private mutating func names(in path: String) -> [String] {
    if let known = names[path] { return known }
    let entries = try? folder.entries(beneath: path, allowOutside: false).entries
    let found = entries?.map { String($0.name) } ?? []
    names[path] = found
    return found
  }

  private func stem(_ name: String) -> Substring {
    name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
  }
}
