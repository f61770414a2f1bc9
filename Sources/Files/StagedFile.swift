/// A file that is complete but still has a temporary name in the folder that it will be placed in.
package struct StagedFile: Hashable, Sendable {
  /// Where it will be, relative to the folder that staged it.
  package let path: String
  let number: UInt64
  let process: Int32

  /// Where it is now.
  package var temporary: String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    return folder + temporaryName
  }

  var temporaryName: String { StagedFile.prefix + "\(process)-\(number)" }

  /// How the names of all our unfinished files and folders start.
  package static let prefix = ".sitegen-tmp-"
}
