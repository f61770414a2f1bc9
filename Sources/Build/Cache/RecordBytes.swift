import Bytes
import Files
import Recipes

/// Values that records of the index and of the cache are made of.
extension ByteWriter {
  mutating func write(_ digest: Digest) { write(raw: digest.bytes) }

  mutating func write(_ stamp: FileStamp) {
    write(word: stamp.inode)
    for number in [stamp.size, stamp.modified, stamp.changed] {
      write(word: UInt64(bitPattern: number))
    }
  }

  mutating func write(_ rejection: Rejection) {
    write(rejection.reason.rawValue)
    write(rejection.detail)
  }
}

extension ByteReader {
  /// A value that all of these bytes make up; nil when they are too short or too long, or say what
  /// they must not.
  static func all<Value>(
    of bytes: [UInt8], _ read: (inout ByteReader) throws(Malformed) -> Value?
  ) -> Value? {
    var reader = ByteReader(bytes)
    guard let value = try? read(&reader), reader.isAtEnd else { return nil }
    return value
  }

  mutating func readDigest() throws(Malformed) -> Digest {
    guard let digest = Digest(bytes: Array(try read(count: Digest.byteCount))) else {
      throw Malformed()
    }
    return digest
  }

  mutating func readStamp() throws(Malformed) -> FileStamp {
    FileStamp(
      inode: try readWord(), size: Int64(bitPattern: try readWord()),
      modified: Int64(bitPattern: try readWord()), changed: Int64(bitPattern: try readWord()))
  }

  mutating func readRejection() throws(Malformed) -> Rejection {
    Rejection(Reason(rawValue: try readText()), try readText())
  }
}
