/// A file or folder to watch.
///
/// A folder includes everything beneath it, except ignored paths and the targets of symlinks.
/// Changes to a symlink itself are reported. Symlinks among the components of `path` are followed.
package struct WatchedPath: Sendable, Hashable {
  /// An absolute path, which may not exist.
  package var path: String
  /// The folders beneath `path` to ignore, as absolute paths with the prefix `path`.
  package var ignoring: Set<String>

  package init(_ path: String, ignoring: Set<String> = []) {
    self.path = path
    self.ignoring = ignoring
  }

  var tidy: WatchedPath {
    WatchedPath(Self.trimmed(path), ignoring: Set(ignoring.map(Self.trimmed)))
  }

  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return String(path)
  }

  var parent: String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  func holds(_ other: String) -> Bool {
    let name = String(other.split(separator: "/").last ?? "")
    return other == path
      || other.hasPrefix(Self.join(path, "")) && !ignores(name, at: other, isFolder: false)
  }

  func ignores(_ name: String, at path: String, isFolder: Bool) -> Bool {
    Self.ignores(name, isFolder: isFolder) || ignoring.contains(path)
  }

  /// Returns whether to ignore a file or folder because of its name.
  ///
  /// Hidden files and folders, such as `.git`, are ignored, as are editors' backups, automatic
  /// saves and swap files.
  ///
  /// Editors' other temporary files, such as `photo.tmp` or vim's test file `4913`, are not
  /// ignored: a picture can have any name, and a missed change is worse than a needless rebuild.
  package static func ignores(_ name: String, isFolder: Bool) -> Bool {
    let bytes = name.utf8
    if bytes.first == UInt8(ascii: ".") { return true }
    if isFolder { return false }
    // gedit, vim and emacs write backups to `name~`; emacs auto-saves to `#name#`.
    if bytes.last == UInt8(ascii: "~") { return true }
    if bytes.count > 2, bytes.first == UInt8(ascii: "#"), bytes.last == UInt8(ascii: "#") {
      return true
    }
    return [".swp", ".swx", ".swo"].contains { name.hasSuffix($0) }
  }
}
