import Foundation
import Glibc

/// Records the order in which files are renamed or opened in many folders.
final class MoveWatch {
  private let descriptor: Int32
  private var folders: [Int32: String] = [:]

  /// - Parameters:
  ///   - root: An absolute path.
  ///   - names: Existing folders in it; an empty name is the root itself.
  ///   - event: The event to report.
  init(_ root: String, folders names: Set<String>, _ event: Int32 = Int32(IN_MOVED_TO)) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    for name in names {
      let watch = unsafe inotify_add_watch(descriptor, "\(root)/\(name)", UInt32(event))
      precondition(watch >= 0, "a watch that does not watch proves nothing")
      folders[watch] = name
    }
  }

  deinit { _ = close(descriptor) }

  /// Returns the paths of all files renamed or opened so far, in order.
  func placed() -> [String] {
    var paths: [String] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return paths }
      var rest = buffer[..<count]
      while rest.count >= 16 {
        // An event has a watch, a mask, a cookie, the name's length, and the padded name.
        let watch = Int32(truncatingIfNeeded: Self.word(rest, 0))
        let length = Int(Self.word(rest, 12))
        let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
        let folder = folders[watch] ?? "?"
        paths.append((folder.isEmpty ? "" : folder + "/") + String(decoding: name, as: UTF8.self))
        rest = rest.dropFirst(16 + length)
      }
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
    bytes.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
