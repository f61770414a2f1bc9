/// A file or folder whose changes are wanted.
///
/// In a folder, everything beneath counts, except what is ignored and what is at the other end of a
/// link: that a link is made, changed or removed is a change. The path itself may be a link, or go
/// through links, and those are followed.
package struct WatchedPath: Sendable, Hashable {
  /// Absolute; nothing need be there.
  package var path: String
  /// Folders beneath that are not looked at: absolute, and spelt as `path` is.
  package var ignoring: Set<String>

  package init(_ path: String, ignoring: Set<String> = []) {
    self.path = path
    self.ignoring = ignoring
  }

  /// Without slashes at the ends.
  var tidy: WatchedPath {
    WatchedPath(Self.trimmed(path), ignoring: Set(ignoring.map(Self.trimmed)))
  }

  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return String(path)
  }

  /// The folder in which the path itself is.
  var parent: String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path of something in a folder.
  static func join(_ folder: String, _ name: String) -> String {
    folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// Whether something is at the path or beneath it, and is looked at.
  func holds(_ other: String) -> Bool {
    let name = String(other.split(separator: "/").last ?? "")
    return other == path
      || other.hasPrefix(Self.join(path, "")) && !ignores(name, at: other, isFolder: false)
  }

  /// Whether something beneath is not looked at.
  func ignores(_ name: String, at path: String, isFolder: Bool) -> Bool {
    Self.ignores(name, isFolder: isFolder) || ignoring.contains(path)
  }

  /// Whether a name says that nothing of a site is there.
  ///
  /// That is: hidden files and folders, such as `.git`, `.sitegen`, our unfinished files, the swap
  /// files of vim and the locks of emacs; and what editors write before the user saves, since a
  /// rebuild would show nothing new.
  ///
  /// A picture may have any name, and a missed change costs more than a needless look. So what is
  /// written during a save is not ignored, whatever its name: `photo.tmp`, `photo.bak`, or `4913`, by
  /// which vim tries whether it may write.
  package static func ignores(_ name: String, isFolder: Bool) -> Bool {
    let bytes = name.utf8
    if bytes.first == UInt8(ascii: ".") { return true }
    if isFolder { return false }
    // gedit, vim and emacs keep the former text beside the file; emacs saves unasked as `#name#`.
    if bytes.last == UInt8(ascii: "~") { return true }
    if bytes.count > 2, bytes.first == UInt8(ascii: "#"), bytes.last == UInt8(ascii: "#") {
      return true
    }
    return [".swp", ".swx", ".swo"].contains { name.hasSuffix($0) }
  }
}
