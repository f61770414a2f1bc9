import Glibc

/// Detects whether any process opens a file by any of its names.
final class OpenWatch {
  private let descriptor: Int32

  init(_ path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let watch = unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN))
    precondition(watch >= 0, "a watch that does not watch proves nothing")
  }

  deinit {
    _ = close(descriptor)
  }

  /// Whether the file was opened since the last call.
  func wasOpened() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    return unsafe Glibc.read(descriptor, &buffer, buffer.count) > 0
  }
}
