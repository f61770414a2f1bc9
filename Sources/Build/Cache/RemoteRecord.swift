package import Fetch
package import Recipes
package import Store

/// What is kept of one address between builds.
package struct RemoteRecord: Hashable, Sendable {
  /// The last good bytes.
  package struct Kept: Hashable, Sendable {
    package var digest: Digest
    package var size: Int

    package init(digest: Digest, size: Int) {
      self.digest = digest
      self.size = size
    }
  }

  /// Something that would be no better at the next build.
  package struct Failure: Hashable, Sendable {
    package var rejection: Rejection
    /// When it is forgotten, in seconds since 1970.
    package var until: Int64

    package init(_ rejection: Rejection, until: Int64) {
      self.rejection = rejection
      self.until = until
    }
  }

  package var kept: Kept?
  /// Of the kept bytes.
  package var validators: Validators
  /// When the far end last said that the kept bytes are right, in seconds since 1970.
  package var checkedAt: Int64
  /// Until when they may be used without asking; 0 for never.
  package var freshUntil: Int64
  package var failure: Failure?

  package init(
    kept: Kept? = nil, validators: Validators = Validators(), checkedAt: Int64 = 0,
    freshUntil: Int64 = 0, failure: Failure? = nil
  ) {
    self.kept = kept
    self.validators = validators
    self.checkedAt = checkedAt
    self.freshUntil = freshUntil
    self.failure = failure
  }
}

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
    record.validators = Validators(etag: etag, lastModified: lastModified, host: host)
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
