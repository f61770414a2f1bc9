import Files
import Foundation

/// The files that a build read beside its sources, with the stamps they had.
struct Inputs: Sendable {
  private(set) var stamped = Standing.Stamped()
  /// False when some file was so young that its stamp proves nothing.
  private(set) var areTrustworthy = true

  /// - Parameters:
  ///   - path: Relative paths are meant from the working directory.
  ///   - stamp: Nil when there is no such file, which is worth remembering too.
  ///   - moment: Before it was read.
  mutating func add(_ path: String, _ stamp: FileStamp?, takenAt moment: Int64 = FileStamp.now()) {
    if let stamp { areTrustworthy = areTrustworthy && stamp.isTrustworthy(takenAt: moment) }
    stamped.append(Self.fromRoot(path), stamp)
  }

  /// Whether every file is what it was.
  var hold: Bool {
    guard let root = try? Folder(opening: "/") else { return false }
    var hold = true
    root.sweep(stamped.paths, stamped.stamps.indices, followingLinks: true) { index, stamp in
      hold = hold && (stamp ?? Standing.Stamped.absent) == stamped.stamps[index]
    }
    return hold
  }

  /// The path without its leading slash, as the root folder wants it.
  static func fromRoot(_ path: String) -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return String(absolute.drop { $0 == "/" })
  }
}
