import Files
import Foundation
import Recipes
import Store

/// Reads sources that are files beneath the manifest's folder.
struct FileSource: Sendable {
  /// The largest file that is read as a picture: 32 MiB.
  static let byteLimit = 32 << 20

  let folder: Folder
  let allowOutside: Bool

  /// Opens, reads and hashes a file.
  func read(_ path: String) throws(FileError) -> (bytes: Data, digest: Digest, stamp: FileStamp) {
    let file = try folder.open(beneath: path, allowOutside: allowOutside)
    let bytes = try file.read(upTo: Self.byteLimit)
    return (bytes, Digest(of: bytes), file.stamp)
  }

  /// The stamp of a file, reached as `read` would reach it.
  func stamp(of path: String) throws(FileError) -> FileStamp? {
    try folder.stamp(beneath: path, allowOutside: allowOutside)
  }

  static func rejection(of error: FileError) -> Rejection {
    switch error.reason {
    case .outside:
      Rejection(.outsideRoot, "it lies outside the manifest's folder")
    case .notRegular:
      Rejection(.notRegular, "it is not a regular file")
    case .tooLarge:
      Rejection(.tooManyBytes, "it is larger than \(byteLimit >> 20) MiB")
    default:
      Rejection(.unreadable, error.explanation)
    }
  }
}
