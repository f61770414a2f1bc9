import Foundation

/// A folder that only we can read; it is removed with its owner.
package struct PrivateFolder: ~Copyable {
  package let path: String

  /// Tries `named`, usually `TMPDIR`, and then `/tmp` and `/dev/shm`.
  ///
  /// A path with a colon is skipped: `MAGICK_CONFIGURE_PATH` would read it as two paths and look
  /// for policies in both. The corresponding C function is `mkdtemp`, which makes the
  /// folder with mode 0700.
  package init(preferring named: String?) throws(MagickRefusal) {
    let parents = [named, "/tmp", "/dev/shm"].compactMap(\.self).filter { !$0.contains(":") }
    // Not `first`, which asks a lazy collection twice and so makes two folders.
    guard let path = parents.lazy.compactMap(Self.make).first(where: { _ in true }) else {
      throw MagickRefusal(
        "cannot make a private folder in \(parents.joined(separator: " or ")): "
          + String(lastError: errno))
    }
    self.path = path
  }

  private static func make(in parent: String) -> String? {
    var template = Array("\(parent)/sitegen-magick-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
    }
    guard made else { return nil }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  borrowing func write(_ text: String, to name: String) throws(MagickRefusal) {
    let done = FileManager.default.createFile(
      atPath: "\(path)/\(name)", contents: Data(text.utf8),
      attributes: [.posixPermissions: 0o600])
    guard done else {
      throw MagickRefusal("cannot write \(path)/\(name): \(String(lastError: errno))")
    }
  }

  deinit {
    // ImageMagick has read what it needs; a folder that stays does no harm.
    try? FileManager.default.removeItem(atPath: path)
  }
}

extension String {
  /// The system's words for an error number.
  fileprivate init(lastError number: Int32) {
    self = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
