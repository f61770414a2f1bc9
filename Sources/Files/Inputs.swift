import Foundation

/// The files that a build read beside its sources, with the stamps they had.
package struct Inputs: Sendable {
  package private(set) var stamped = StampedPaths()
  /// False when some file was so young that its stamp proves nothing.
  package private(set) var areTrustworthy = true

  package init() {}

  /// Notes a file or folder that was read after `moment`, or, without a stamp, that there is none.
  package mutating func add(
    _ path: String, _ stamp: FileStamp?, takenAt moment: Int64 = FileStamp.now()
  ) {
    if let stamp { areTrustworthy = areTrustworthy && stamp.isTrustworthy(takenAt: moment) }
    stamped.append(Self.fromRoot(path), stamp)
  }

  /// Whether every file is what it was.
  package var hold: Bool {
    guard let root = try? Folder(opening: "/") else { return false }
    var hold = true
    root.sweep(stamped.paths, stamped.stamps.indices, folders: true) { index, stamp in
      hold = hold && (stamp ?? StampedPaths.absent) == stamped.stamps[index]
    }
    return hold
  }

  /// The path without its leading slash, as the root folder wants it.
  package static func fromRoot(_ path: String) -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return String(absolute.drop { $0 == "/" })
  }
}

/// Paths, and for each the stamp it had; a stamp of zeros says that there was no such file.
package struct StampedPaths: Sendable {
  package var paths = PathList()
  package var stamps: [FileStamp] = []

  package static let absent = FileStamp(inode: 0, size: 0, modified: 0, changed: 0)

  package init() {}

  package mutating func append(_ path: String, _ stamp: FileStamp?) {
    paths.append(path)
    stamps.append(stamp ?? Self.absent)
  }
}
