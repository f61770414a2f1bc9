import Glibc

/// A folder for one test, deleted when the test ends.
package final class TemporaryFolder: Sendable {
  /// The absolute path, with resolved symlinks and without a trailing slash.
  package let path: String

  /// Creates a folder; `inMemory` is for tests with thousands of disk writes.
  package init(inMemory: Bool = false) {
    let memory = "/dev/shm"
    let base =
      inMemory && FileManager.default.isWritableFile(atPath: memory)
      ? memory : ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array((base + "/sitegen-test-XXXXXX").utf8CString)
    // A test cannot run without its folder.
    guard unsafe mkdtemp(&template) != nil else {
      preconditionFailure("cannot make a folder in \(base): error \(errno)")
    }
    let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = URL(fileURLWithPath: made).resolvingSymlinksInPath().path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package func path(of name: String) -> String { path + "/" + name }

  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let file = path(of: name)
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
  }

  package func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(of: name), withIntermediateDirectories: true)
  }

  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(of: name), withDestinationPath: target)
  }

  package func read(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(of: name)))
  }

  package func text(of name: String) throws -> String {
    String(decoding: try read(name), as: UTF8.self)
  }

  /// Returns whether a file exists, including a dangling symlink.
  package func exists(_ name: String) -> Bool {
    var status = stat()
    return unsafe lstat(path(of: name), &status) == 0
  }

  /// Returns all paths in the folder, in byte order.
  package func list() -> [String] {
    (FileManager.default.subpaths(atPath: path) ?? []).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(of: name))
  }

  package func setModified(_ name: String, to seconds: Int, nanoseconds: Int = 0) throws {
    let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    let times = [time, time]
    guard unsafe utimensat(AT_FDCWD, path(of: name), times, 0) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Writes an executable script and returns its path.
  ///
  /// The script is copied by `cp`, because children of parallel tests could inherit our descriptor,
  /// and a file that is open for writing cannot be executed.
  package func program(_ text: String, at name: String = "program") throws -> String {
    try write(text, to: "text")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: path(of: "text"))
    _ = try RunningProgram(["cp", path(of: "text"), path(of: name)]).ending()
    return path(of: name)
  }
}
