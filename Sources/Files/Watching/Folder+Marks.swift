import Glibc

/// What a name stands for, well enough to see that it changed.
package struct FileMark: Hashable, Sendable {
  package let kind: FileKind
  /// Of the name itself: of the link, not of what it leads to.
  package let stamp: FileStamp
  /// Of the file that a link leads to; nil when it leads to no file, or when there is no link.
  package let target: FileStamp?
}

extension Folder {
  /// What a name stands for; nil when there is nothing.
  ///
  /// The corresponding C function is `fstatat`.
  package func mark(of name: String) throws(FileError) -> FileMark? {
    guard let status = try status(of: name, followingLinks: false) else { return nil }
    let kind = FileKind(mode: status.st_mode)
    // A link that leads nowhere, or round in a circle, is still a link.
    let target = kind == .link ? try? stamp(of: name) : nil
    return FileMark(kind: kind, stamp: FileStamp(status), target: target)
  }

  /// What a link says; nil when there is no link.
  ///
  /// The corresponding C function is `readlinkat`.
  package func destination(of name: String) throws(FileError) -> String? {
    guard !name.utf8.contains(0) else { return nil }
    var bytes: [CChar] = Array(repeating: 0, count: Int(PATH_MAX))
    do throws(FileError) {
      let count = try call("read", shown(name)) {
        unsafe readlinkat(descriptor.number, name, &bytes, bytes.count)
      }
      return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    } catch  where error.reason == .notFound || error.code == EINVAL {
      return nil
    }
  }
}
