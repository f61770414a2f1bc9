import CLinux
package import Foundation
import Glibc

/// A regular file, open for reading: it stays the same file, whatever happens to its name.
package struct OpenFile: ~Copyable, Sendable {
  /// For messages.
  package let path: String
  /// Taken when the file was opened, so before anything was read.
  package let stamp: FileStamp
  let descriptor: Descriptor

  package var size: Int64 { stamp.size }

  /// Gives the descriptor to a new owner, who closes it.
  package consuming func release() -> Int32 {
    let number = descriptor.number
    descriptor.release()
    return number
  }
}

// MARK: - Opening

extension Folder {
  /// Opens a regular file for reading, and nothing else; it never waits, even for a pipe.
  ///
  /// Links are followed as long as they stay inside the folder. `allowOutside` lets `..`, absolute paths
  /// and links leave it; without `followingLinks` every link is refused.
  package func open(
    beneath name: String, allowOutside: Bool = false, followingLinks: Bool = true
  ) throws(FileError) -> OpenFile {
    // O_NONBLOCK: opening a pipe would wait for a writer. O_NOCTTY: a terminal must not control us.
    let descriptor = try Folder.open(
      self.descriptor.number, name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY,
      resolve: (followingLinks ? RESOLVE_NO_MAGICLINKS : RESOLVE_NO_SYMLINKS)
        | (allowOutside ? 0 : RESOLVE_BENEATH),
      shown: shown(name))
    let status = try descriptor.regularStatus(allowOutside: allowOutside, path: shown(name))
    return OpenFile(path: shown(name), stamp: FileStamp(status), descriptor: descriptor)
  }

  /// Throws the reason why a file cannot be opened for reading and writing, if there is one.
  package func checkWritable(_ name: String) throws(FileError) {
    _ = try Folder.open(
      descriptor.number, name, flags: O_RDWR | O_NONBLOCK | O_NOCTTY, resolve: Folder.insideOnly,
      shown: shown(name))
  }
}

extension Descriptor {
  /// What `fstat` says of a regular file; anything else is refused.
  borrowing func regularStatus(
    allowOutside: Bool, path: @autoclosure () -> String
  ) throws(FileError) -> stat {
    let status = try status(path: path())
    guard FileKind(mode: status.st_mode) == .file else {
      throw FileError("open", path: path(), code: EINVAL, reason: .notRegular)
    }
    if allowOutside || status.st_size == 0 { try refuseKernelText(path: path()) }
    return status
  }

  /// Refuses files that the kernel makes up while they are read, such as `/proc/self/environ`.
  ///
  /// They look like regular files, but their bytes describe this machine.
  private borrowing func refuseKernelText(path: @autoclosure () -> String) throws(FileError) {
    let system = try call("inspect", path()) { linux_file_system(number) }
    let procSuperMagic = 0x9fa0
    let sysfsMagic = 0x6265_6572
    if system == procSuperMagic || system == sysfsMagic {
      throw FileError("open", path: path(), code: EINVAL, reason: .notRegular)
    }
  }
}

// MARK: - Reading

extension OpenFile {
  /// Reads the whole file, refusing before and while reading more than `limit` bytes.
  ///
  /// It does not map the file, since a mapped file that shrinks kills its reader.
  package borrowing func readBytes(upTo limit: Int) throws(FileError) -> [UInt8] {
    // A sparse file may claim the largest number there is.
    guard size <= limit else { throw FileError("read", path: path, code: EFBIG) }
    // One byte more than the file claims to have, so that its end is seen at the first attempt.
    var capacity = max(Int(size), 0) + 1
    while capacity - 1 <= limit {
      let bytes = try readChunk(at: 0, count: capacity)
      if bytes.count < capacity { return bytes }
      // The file has grown since it was opened.
      capacity = capacity > limit ? .max : min(capacity * 2, limit + 1)
    }
    throw FileError("read", path: path, code: EFBIG)
  }

  package borrowing func read(upTo limit: Int) throws(FileError) -> Data {
    Data(try readBytes(upTo: limit))
  }

  /// Reads the next bytes; fewer than `count` only at the end of the file.
  package borrowing func readChunk(
    at offset: Int64, count: Int = 1 << 16
  ) throws(FileError) -> [UInt8] {
    // The array's initializer does not pass typed errors on.
    var failure: FileError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      do throws(FileError) {
        used = try unsafe descriptor.fill(
          UnsafeMutableRawBufferPointer(buffer), from: offset, size: size, path: path)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
