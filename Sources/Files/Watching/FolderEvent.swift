import Glibc

/// Something that happened to an entry of a watched folder, or to the folder.
package struct FolderEvent: Hashable, Sendable {
  /// The number that `Inotify.watch` gave; -1 for `missed`.
  package let watch: Int32
  package let kinds: Kinds
  /// Empty when it happened to the folder itself.
  package let name: String

  package init(watch: Int32, kinds: Kinds, name: String) {
    self.watch = watch
    self.kinds = kinds
    self.name = name
  }
}

extension FolderEvent {
  package struct Kinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    private init(_ value: Int32) {
      self.init(rawValue: UInt32(bitPattern: value))
    }
  }
}

extension FolderEvent.Kinds {
  // What can be watched. A new hard link or symbolic link is made, and never written.
  package static let made = Self(IN_CREATE)
  package static let removed = Self(IN_DELETE)
  /// By renaming, in from elsewhere.
  package static let movedIn = Self(IN_MOVED_TO)
  package static let movedOut = Self(IN_MOVED_FROM)
  /// The file may still be open.
  package static let written = Self(IN_MODIFY)
  /// A file that was open for writing was closed.
  package static let closed = Self(IN_CLOSE_WRITE)
  /// Times, rights, owner.
  package static let touched = Self(IN_ATTRIB)
  package static let folderRemoved = Self(IN_DELETE_SELF)
  package static let folderMoved = Self(IN_MOVE_SELF)

  // What the kernel adds.
  /// The entry is a folder.
  package static let isFolder = Self(rawValue: 0x4000_0000)
  /// Events were dropped, since nobody read them.
  package static let missed = Self(IN_Q_OVERFLOW)
  /// The watch has ended: the folder is gone, or somebody ended it.
  package static let ended = Self(IN_IGNORED)

  package static let names: Self = [.made, .removed, .movedIn, .movedOut]
  /// Every change of a folder or of the files in it.
  package static let changes: Self = [
    .names, .written, .closed, .touched, .folderRemoved, .folderMoved,
  ]
}

// MARK: - From the kernel

extension FolderEvent {
  /// Takes apart what the kernel wrote: `struct inotify_event` again and again.
  ///
  /// A name that is no UTF-8 is none of ours, and its event is left out.
  static func all(in bytes: [UInt8]) -> [FolderEvent] {
    var events: [FolderEvent] = []
    var start = 0
    while start + headerSize <= bytes.count {
      let watch = Int32(bitPattern: word(at: start, in: bytes))
      let kinds = Kinds(rawValue: word(at: start + 4, in: bytes))
      let nameStart = start + headerSize
      let end = min(nameStart + Int(word(at: start + 12, in: bytes)), bytes.count)
      // The kernel fills up with zero bytes.
      if let name = String(validating: bytes[nameStart..<end].prefix { $0 != 0 }, as: UTF8.self) {
        events.append(FolderEvent(watch: watch, kinds: kinds, name: name))
      }
      start = end
    }
    return events
  }

  /// Watch, kinds, cookie and the length of the name: 4 bytes each.
  private static let headerSize = 16

  private static func word(at index: Int, in bytes: [UInt8]) -> UInt32 {
    // Four bytes are there: the caller has seen the whole header.
    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt32.self) }
  }
}
