import CLinux
import Glibc

// How names become descriptors: one component at a time where something must be made, else in
// one call. Nothing in this file follows a link, unless the folder itself is being opened.

extension Folder {
  /// Nothing outside the folder, and no link on the way.
  static var insideOnly: Int32 { RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS }

  /// The only door to `openat2`.
  ///
  /// Every descriptor is closed in child processes.
  ///
  /// The flags are those of `open`; `resolve` is what the kernel must refuse on the way. Zero bytes
  /// in the name are refused, since C would silently take the part before them.
  static func open(
    _ start: Int32, _ name: String, flags: Int32, mode: UInt32 = 0, resolve: Int32,
    shown: @autoclosure () -> String
  ) throws(FileError) -> Descriptor {
    try refuseZeroByte(name, shown: shown())
    var attempts = 0
    while true {
      do {
        let number = try call("open", shown()) {
          unsafe linux_openat2(
            start, name, UInt64(flags | O_CLOEXEC), UInt64(mode), UInt64(resolve))
        }
        return Descriptor(adopting: number)
      } catch let error where error.code == EAGAIN && attempts < 1000 {
        // A rename somewhere on the machine kept the kernel from judging a `..`.
        attempts += 1
      } catch let error where error.code == EXDEV {
        throw FileError("open", path: error.path, code: EXDEV, reason: .outside)
      }
    }
  }

  /// Makes one folder; one that is there already is fine.
  ///
  /// The corresponding C function is `mkdirat`.
  static func make(
    _ start: Int32, _ name: String, mode: UInt32, shown: @autoclosure () -> String
  ) throws(FileError) {
    do {
      try refuseZeroByte(name, shown: shown())
      try call("make", shown()) { unsafe mkdirat(start, name, mode) }
    } catch let error where error.code == EEXIST {
      return
    }
  }

  /// Opens a folder inside this one, never through a link, and makes what is missing if asked.
  ///
  /// The corresponding C functions are `mkdirat` and `openat2`.
  func descend(_ name: String, making: Bool, mode: UInt32 = 0o777) throws(FileError) -> Descriptor {
    do {
      return try descend(name)
    } catch let error where making && error.code == ENOENT && !name.isEmpty {
      let bytes = name.utf8
      for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
        try makeLast(of: String(name[..<end]), mode: mode)
      }
      try makeLast(of: name, mode: mode)
      return try descend(name)
    }
  }

  private func descend(_ name: String) throws(FileError) -> Descriptor {
    try Folder.open(
      descriptor.number, name, flags: linux_O_PATH | O_DIRECTORY, resolve: Folder.insideOnly,
      shown: shown(name))
  }

  /// Makes the last folder of a path whose others exist.
  private func makeLast(of name: String, mode: UInt32) throws(FileError) {
    try withParent(of: name, making: false) { (parent, last) throws(FileError) in
      try Folder.make(parent, last, mode: mode, shown: shown(name))
    }
  }

  /// Calls `body` with the descriptor of the folder that holds `name`, and the last part of it.
  ///
  /// The descriptor is valid only during the call. A folder that is a `shelf` stays open for the
  /// next name; where it was removed meanwhile, `body` is called again.
  @discardableResult
  func withParent<Result: ~Copyable>(
    of name: String, making: Bool, shelf: Bool = false,
    _ body: (Int32, String) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try Folder.refuseZeroByte(name, shown: shown(name))
    let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
    let last = slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name
    guard !last.isEmpty, last != ".", last != ".." else {
      throw FileError("use", path: shown(name), code: EINVAL, reason: .badName)
    }
    guard let slash else { return try body(descriptor.number, last) }
    // The parent of an absolute path is `/`, which is refused as being outside.
    let path = slash == name.utf8.startIndex ? "/" : String(name[..<slash])
    guard shelf else {
      let parent = try descend(path, making: making)
      return try parent.with { (number) throws(FileError) in try body(number, last) }
    }
    let (parent, wasOpen) = try self.shelf(path, making: making)
    do throws(FileError) {
      return try parent.descriptor.with { (number) throws(FileError) in try body(number, last) }
    } catch  where wasOpen && [ENOENT, ESTALE].contains(error.code) {
      // ESTALE: another machine has removed it from a network disk.
      forgetShelves()
      return try withParent(of: name, making: making, shelf: true, body)
    }
  }

  private static func refuseZeroByte(
    _ name: String, shown: @autoclosure () -> String
  ) throws(FileError) {
    guard name.utf8.contains(0) else { return }
    throw FileError("open", path: shown(), code: EINVAL, reason: .badName)
  }
}

extension Descriptor {
  /// The corresponding C function is `fstat`.
  borrowing func status(path: @autoclosure () -> String) throws(FileError) -> stat {
    var status = stat()
    try call("inspect", path()) { unsafe fstat(number, &status) }
    return status
  }
}
