import Files
import Foundation
import Manifest
import Plan
import Recipes

package struct WatchList: Sendable {
  /// The absolute paths to watch; folders are watched recursively.
  package let paths: [String]
  /// Paths written by sitegen, including aliases through symlinks; changes to them are ignored.
  package let own: [String]

  /// Creates the list; `inputs` (nil before the first build) lists all files read except pictures.
  init(_ options: BuildOptions, inputs: Inputs?, _ manifest: Manifest?) {
    let file = Self.absolute(options.manifest)
    // If the input is a folder of people, its path ends with a slash.
    let folder = options.manifest.hasSuffix("/") ? file : Self.parent(of: file)
    // A list without a manifest may be in any folder, so watch only the list and its pictures.
    let isList = options.manifestText != nil && folder != file
    var paths = [isList ? file : folder, Self.absolute(options.templates.path)]
    // User lists, badges and templates may be elsewhere, or be symlinks. Skip `/usr`, because
    // Debian's files do not change in watch mode.
    var others: Set<String> = [file]
    if let inputs {
      for path in inputs.stamped.paths {
        let path = Self.absolute("/" + path)
        if !path.hasPrefix("/usr/") { others.insert(path) }
      }
    }
    var folders: Set<String> = []
    if let manifest, manifest.allowOutside || isList {
      let icon = manifest.exports.icons.map { [$0.source] } ?? []
      for case .file(let path) in manifest.users.flatMap({ $0.avatars.map(\.kind) }) + icon {
        let whole = Self.absolute(path.text.hasPrefix("/") ? path.text : "\(folder)/\(path.text)")
        let around = Self.parent(of: whole)
        // A list may have 100,000 pictures, so watch their folder instead of each file.
        if isList, around.hasPrefix(folder + "/") {
          folders.insert(around)
        } else {
          others.insert(whole)
        }
      }
    }
    paths += folders.sorted()
    let known = paths
    let targets = known.map { Self.real($0) }
    paths += others.filter { !Self.covers(known, $0) }.sorted()
    paths += Set(others.map(Self.real)).subtracting(paths)
      .filter { !Self.covers(targets, $0) }.sorted()
    self.paths = paths
    let written = [options.output, options.cache]
    own = Self.spellings(of: written, beneath: zip(known, targets).map { (named: $0, real: $1) })
  }

  /// Returns whether a watched folder covers a path; hidden and temporary files are never covered.
  private static func covers(_ folders: [String], _ path: String) -> Bool {
    folders.contains { folder in
      guard path.hasPrefix(folder + "/") else { return false }
      let names = path.dropFirst(folder.count).split(separator: "/")
      return names.allSatisfy { !$0.hasPrefix(".") && !$0.hasPrefix("#") && !$0.hasSuffix("~") }
    }
  }

  /// Returns the paths as given, with symlinks resolved, and as seen from each watched folder.
  private static func spellings(
    of paths: [String], beneath folders: some Sequence<(named: String, real: String)>
  ) -> [String] {
    var all = Set(paths.map(absolute))
    for path in all {
      let target = real(path)
      all.insert(target)
      for (named, real) in folders where target.hasPrefix(real + "/") {
        all.insert(named + target.dropFirst(real.count))
      }
    }
    return all.sorted()
  }

  /// Returns an absolute path without `.` and `..`, but with unresolved symlinks.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Resolves symlinks; for a missing file, only the symlinks in its folder's path.
  private static func real(_ path: String) -> String {
    if FileManager.default.fileExists(atPath: path) {
      return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    let parent = parent(of: path)
    guard parent != path else { return path }
    return real(parent) + "/" + URL(fileURLWithPath: path).lastPathComponent
  }

  private static func parent(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
  }
}
