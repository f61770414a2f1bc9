import Bytes
import Fetch

/// `fetches`: what is kept of an address, under the digest of its key.
enum FetchRecord {
  /// Raised whenever the record takes another shape.
  private static let revision: UInt8 = 1

  static func bytes(of record: RemoteRecord) -> [UInt8] {
    var writer = RecordWriter()
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
    var reader = RecordParser(bytes)
    guard reader.read(UInt8.self) == revision, let hasKept = reader.read(UInt8.self) else {
      return nil
    }
    var record = RemoteRecord()
    if hasKept == 1 {
      guard let digest = reader.readDigest(), let size = reader.read(Int64.self) else { return nil }
      record.kept = RemoteRecord.Kept(digest: digest, size: Int(clamping: size))
    }
    guard let etag = reader.readOptionalText(), let lastModified = reader.readOptionalText(),
      let host = reader.readOptionalText(), let checkedAt = reader.read(Int64.self),
      let freshUntil = reader.read(Int64.self),
      let hasFailure = reader.read(UInt8.self)
    else { return nil }
    record.validators = Validators(
      etag: etag, lastModified: lastModified, host: host)
    record.checkedAt = checkedAt
    record.freshUntil = freshUntil
    if hasFailure == 1 {
      guard let rejection = reader.readRejection(), let until = reader.read(Int64.self) else {
        return nil
      }
      record.failure = RemoteRecord.Failure(rejection, until: until)
    }
    return reader.isAtEnd ? record : nil
  }
}

extension RecordWriter {
  fileprivate mutating func write(optional text: String?) {
    write(UInt8(text == nil ? 0 : 1))
    if let text { write(text) }
  }
}

extension RecordParser {
  /// Nil when the record ends too early; nil within for a text that is absent.
  fileprivate mutating func readOptionalText() -> String?? {
    switch read(UInt8.self) {
    case 0: .some(nil)
    case 1: readText().map { .some($0) }
    default: nil
    }
  }
}
