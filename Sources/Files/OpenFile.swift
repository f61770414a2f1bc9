import CLinux
package import Foundation
import Glibc

/// A regular file, open for reading; it stays the same file if its name changes.
package struct OpenFile: ~Copyable, Sendable {
  package let path: String
  /// Taken when the file was opened, before any read.
  package let stamp: FileStamp
  let descriptor: Descriptor

  package var size: Int64 { stamp.size }

  /// Gives up ownership; the new owner closes the descriptor.
  package consuming func release() -> Int32 {
    let number = descriptor.number
    descriptor.release()
    return number
  }
}

// MARK: - Opening

extension Folder {
  /// Opens a regular file for reading without blocking, even on a pipe.
  ///
  /// Symlinks are followed inside the folder. `allowOutside` permits `..`, absolute paths and
  /// symlinks that leave it; `followingLinks: false` refuses every symlink.
  package func open(
    beneath name: String, allowOutside: Bool = false, followingLinks: Bool = true
  ) throws(FileError) -> OpenFile {
    // O_NONBLOCK does not wait for a pipe's writer; O_NOCTTY takes no controlling terminal.
    let descriptor = try Folder.open(
      self.descriptor.number, name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY,
      resolve: (followingLinks ? RESOLVE_NO_MAGICLINKS : RESOLVE_NO_SYMLINKS)
        | (allowOutside ? 0 : RESOLVE_BENEATH),
      shown: shown(name))
    let status = try descriptor.regularStatus(allowOutside: allowOutside, path: shown(name))
    return OpenFile(path: shown(name), stamp: FileStamp(status), descriptor: descriptor)
  }

  /// Throws if a file cannot be opened for reading and writing.
  package func checkWritable(_ name: String) throws(FileError) {
    _ = try Folder.open(
      descriptor.number, name, flags: O_RDWR | O_NONBLOCK | O_NOCTTY, resolve: Folder.insideOnly,
      shown: shown(name))
  }
}

extension Descriptor {
  /// Returns the status of a regular file; throws for anything else.
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

  /// Refuses files that the kernel generates, such as `/proc/self/environ`.
  ///
  /// They look like regular files, but could leak information about this machine.
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
  /// Reads the whole file; throws if it has or grows to more than `limit` bytes.
  ///
  /// Does not use `mmap`: truncating a mapped file kills its reader with SIGBUS.
  package borrowing func readBytes(upTo limit: Int) throws(FileError) -> [UInt8] {
    // A sparse file can claim any size.
    guard size <= limit else { throw FileError("read", path: path, code: EFBIG) }
    // One extra byte detects the end of the file in the first read.
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

  /// Reads `count` bytes, or fewer at the end of the file.
  package borrowing func readChunk(
    at offset: Int64, count: Int = 1 << 16
  ) throws(FileError) -> [UInt8] {
    // The array initializer does not support typed throws.
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
