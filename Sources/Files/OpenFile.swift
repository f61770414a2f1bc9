import CLinux
package import Foundation
import Glibc

/// A regular file that is open for reading; after a rename, it still refers to the same file.
package struct OpenFile: ~Copyable, Sendable {
  package let path: String
  /// The file's stamp when it was opened, before any read.
  package let stamp: FileStamp
  let descriptor: Descriptor

  package var size: Int64 { stamp.size }

  /// Returns the descriptor, which the caller must close.
  package consuming func release() -> Int32 {
    let number = descriptor.number
    descriptor.release()
    return number
  }
}

extension Folder {
  /// Opens a regular file for reading; never blocks, even on a pipe.
  ///
  /// Symlinks inside the folder are followed. `allowOutside` permits `..`, absolute paths and
  /// symlinks that leave the folder; `followingLinks: false` rejects every symlink.
  package func open(
    beneath name: String, allowOutside: Bool = false, followingLinks: Bool = true
  ) throws(FileError) -> OpenFile {
    // O_NONBLOCK avoids waiting for a pipe's writer; O_NOCTTY avoids a new controlling terminal.
    let descriptor = try Folder.open(
      self.descriptor.number, name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY,
      resolve: (followingLinks ? RESOLVE_NO_MAGICLINKS : RESOLVE_NO_SYMLINKS)
        | (allowOutside ? 0 : RESOLVE_BENEATH),
      shown: shown(name))
    let status = try descriptor.regularStatus(allowOutside: allowOutside, path: shown(name))
    return OpenFile(path: shown(name), stamp: FileStamp(status), descriptor: descriptor)
  }

  package func checkWritable(_ name: String) throws(FileError) {
    _ = try Folder.open(
      descriptor.number, name, flags: O_RDWR | O_NONBLOCK | O_NOCTTY, resolve: Folder.insideOnly,
      shown: shown(name))
  }
}

extension Descriptor {
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

  /// Throws for kernel files such as `/proc/self/environ`, which `stat` reports as regular files.
  private borrowing func refuseKernelText(path: @autoclosure () -> String) throws(FileError) {
    let system = try call("inspect", path()) { linux_file_system(number) }
    let procSuperMagic = 0x9fa0
    let sysfsMagic = 0x6265_6572
    if system == procSuperMagic || system == sysfsMagic {
      throw FileError("open", path: path(), code: EINVAL, reason: .notRegular)
    }
  }
}

extension OpenFile {
  /// Reads the whole file; throws if it is, or becomes, larger than `limit` bytes.
  ///
  /// Does not use `mmap`, because truncating a mapped file kills its reader with SIGBUS.
  package borrowing func readBytes(upTo limit: Int) throws(FileError) -> [UInt8] {
    guard size <= limit else { throw FileError("read", path: path, code: EFBIG) }
    // With one extra byte, the first read detects the end of the file.
    var capacity = max(Int(size), 0) + 1
    while capacity - 1 <= limit {
      let bytes = try readChunk(at: 0, count: capacity)
      if bytes.count < capacity { return bytes }
      capacity = capacity > limit ? .max : min(capacity * 2, limit + 1)
    }
    throw FileError("read", path: path, code: EFBIG)
  }

  package borrowing func read(upTo limit: Int) throws(FileError) -> Data {
    Data(try readBytes(upTo: limit))
  }

  package borrowing func readChunk(
    at offset: Int64, count: Int = 1 << 16
  ) throws(FileError) -> [UInt8] {
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
