import Files
import Foundation

/// The files and folders whose changes may change the site.
struct WatchList {
  /// Absolute; folders stand for all beneath them.
  let places: [String]

  init(_ options: BuildOptions, inputs: Inputs?, _ content: SiteContent?) {
    let manifest = Self.absolute(options.manifest)
    let folder = Self.parent(of: manifest)
    let templates = Self.absolute(options.templates ?? Templates.folderName)
    var places = [folder, templates]
    var others: Set<String> = []
    // User lists and templates that lie elsewhere, and pictures, where the manifest allows it.
    if let inputs {
      for index in inputs.stamped.stamps.indices {
        others.insert(Self.absolute("/" + inputs.stamped.paths[index]))
      }
    }
    if let content, content.manifest.allowOutside {
      for user in content.manifest.users {
        for case .file(let path) in user.avatars.map(\.kind) {
          others.insert(Self.absolute(path.hasPrefix("/") ? path : "\(folder)/\(path)"))
        }
      }
    }
    let known = places.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    places += others.filter { other in !known.contains { other.hasPrefix($0) } }.sorted()
    self.places = places
  }

  /// Without `.` and `..`, and without looking at links.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  private static func parent(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
  }
}
