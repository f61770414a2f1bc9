import Bytes
import Fetch

/// `fetches`: what is kept of an address, under the digest of its key.
enum FetchRecord {
  /// Raised whenever the record takes another shape.
  private static let revision: UInt8 = 1

  static func bytes(of record: RemoteRecord) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(revision)
    writer.write(UInt8(record.kept == nil ? 0 : 1))
    if let kept = record.kept {
      writer.write(kept.digest)
      writer.write(Int64(kept.size))
    }
    writer.write(optional: record.validators.etag)
    writer.write(optional: record.validators.lastModified)
    writer.write(optional: record.validators.host)
    writer.write(record.checkedAt)
    writer.write(record.freshUntil)
    writer.write(UInt8(record.failure == nil ? 0 : 1))
    if let failure = record.failure {
      writer.write(failure.rejection)
      writer.write(failure.until)
    }
    return writer.bytes
  }

  static func record(of bytes: [UInt8]) -> RemoteRecord? {
    ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) in
      guard try reader.read(UInt8.self) == revision else { return nil }
      var record = RemoteRecord()
      if try reader.readFlag() {
        record.kept = RemoteRecord.Kept(
          digest: try reader.readDigest(), size: Int(clamping: try reader.read(Int64.self)))
      }
      record.validators = Validators(
        etag: try reader.readOptionalText(), lastModified: try reader.readOptionalText(),
        host: try reader.readOptionalText())
      record.checkedAt = try reader.read(Int64.self)
      record.freshUntil = try reader.read(Int64.self)
      if try reader.readFlag() {
        record.failure = RemoteRecord.Failure(
          try reader.readRejection(), until: try reader.read(Int64.self))
      }
      // Another machine may have written it: what is computed with it must not overflow.
      return record.checkedAt < 0 ? nil : record
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(optional text: String?) {
    write(UInt8(text == nil ? 0 : 1))
    if let text { write(text) }
  }
}

extension ByteReader {
  fileprivate mutating func readFlag() throws(Malformed) -> Bool {
    switch try read(UInt8.self) {
    case 0: false
    case 1: true
    default: throw Malformed()
    }
  }

  /// Nil for a text that is absent.
  fileprivate mutating func readOptionalText() throws(Malformed) -> String? {
    try readFlag() ? try readText() : nil
  }
}
