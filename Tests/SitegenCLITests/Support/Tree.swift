import Bytes
import Foundation

/// The contents of a folder, for comparisons.
struct Tree: Equatable {
  var files: [String: Data] = [:]
  var links: [String: String] = [:]
  var folders: Set<String> = []

  /// Reads a folder; a missing folder counts as empty.
  init(of path: String) {
    let manager = FileManager.default
    for name in manager.subpaths(atPath: path) ?? [] {
      let whole = path + "/" + name
      let type = try? manager.attributesOfItem(atPath: whole)[.type] as? FileAttributeType
      switch type {
      case .typeDirectory: folders.insert(name)
      case .typeSymbolicLink: links[name] = try? manager.destinationOfSymbolicLink(atPath: whole)
      default: files[name] = manager.contents(atPath: whole) ?? Data("unreadable".utf8)
      }
    }
  }

  /// Returns the names that differ, for readable messages.
  func differences(from other: Tree) -> [String] {
    var names = Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }
    names.formUnion(folders.symmetricDifference(other.folders))
    names.formUnion(Set(links.keys).union(other.links.keys).filter { links[$0] != other.links[$0] })
    return names.sorted()
  }

  var unfinished: [String] {
    (Array(files.keys) + folders).filter { $0.contains(".sitegen-tmp-") }.sorted()
  }

  /// Returns the problems that a visitor would see while one site replaces another.
  func flaws(between old: Tree, and new: Tree) -> [String] {
    let visible = files.filter { !$0.key.contains(".sitegen-") }
    var flaws: [String] = []
    for (path, bytes) in visible {
      if bytes != old.files[path], bytes != new.files[path] {
        flaws.append("\(path) is neither old nor new")
      }
      let name = path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
      if path.hasPrefix("assets/"), Digest(of: bytes).hex != name {
        flaws.append("\(path) does not match the hash in its name")
      }
    }
    for (path, bytes) in visible where path.hasSuffix(".html") {
      for target in Self.targets(of: bytes, in: path) where files[target] == nil {
        flaws.append("\(path) names \(target), which is not there")
      }
    }
    let claimed = String(decoding: files[".sitegen-files"] ?? Data(), as: UTF8.self)
    for path in visible.keys where !claimed.contains(" \(path)\n") {
      flaws.append("\(path) is in no ledger")
    }
    return flaws.sorted() + links.keys.sorted()
  }

  /// Returns the files that a page references, relative to the site's root.
  static func targets(of page: Data, in path: String) -> Set<String> {
    var targets: Set<String> = []
    let folder = path.split(separator: "/").dropLast()
    for match in String(decoding: page, as: UTF8.self)
      .matches(of: /(?:src|href|srcset)="([^"#]+)"/)
    {
      for candidate in match.1.split(separator: ",") {
        guard let link = candidate.split(separator: " ").first, !link.contains(":") else {
          continue
        }
        var parts = Array(folder)
        for part in link.split(separator: "/") where part != "." {
          if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        targets.insert(parts.joined(separator: "/"))
      }
    }
    return targets
  }
}
