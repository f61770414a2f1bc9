package import Bytes
package import Fetch
package import Recipes

package struct RemoteRecord: Hashable, Sendable {
  package struct Kept: Hashable, Sendable {
    package var digest: Digest
    package var size: Int

    package init(digest: Digest, size: Int) { (self.digest, self.size) = (digest, size) }
  }

  package struct Failure: Hashable, Sendable {
    package var rejection: Rejection
    /// When the failure expires, in seconds since 1970.
    package var until: Int64

    package init(_ rejection: Rejection, until: Int64) {
      (self.rejection, self.until) = (rejection, until)
    }
  }

  package var kept: Kept?
  package var validators: Validators
  /// When the server last confirmed the cached bytes, in seconds since 1970.
  package var checkedAt: Int64
  /// When the cached bytes stop being fresh, in seconds since 1970; 0 if they are never fresh.
  package var freshUntil: Int64
  package var failure: Failure?

  package init(
    kept: Kept? = nil, validators: Validators = Validators(), checkedAt: Int64 = 0,
    freshUntil: Int64 = 0, failure: Failure? = nil
  ) {
    (self.kept, self.validators, self.failure) = (kept, validators, failure)
    (self.checkedAt, self.freshUntil) = (checkedAt, freshUntil)
  }
}

/// The cached state of a URL in the `fetches` table, keyed by the digest of its cache key.
enum FetchRecord {
  /// Increase this whenever the record layout changes.
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
      // The record may come from another machine, so reject times that could cause an overflow.
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

  fileprivate mutating func readOptionalText() throws(Malformed) -> String? {
    try readFlag() ? try readText() : nil
  }
}
