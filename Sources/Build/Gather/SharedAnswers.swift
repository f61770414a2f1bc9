import Bytes
import Fetch
import Foundation
import Recipes
import Store

/// What a server answered for one address, as a file of the shared store.
struct SharedAnswer: StoreHeader {
  struct Failure: Codable {
    var reason: String
    var detail: String
    var until: Int64
  }

  static let folder = "answers"
  /// An answer of another machine counts as just asked for so many seconds.
  static let lifetime: Int64 = 86_400

  var key: String
  var checkedAt: Int64
  var freshUntil: Int64
  var validators: Validators
  var failure: Failure?
  var bytes: Int?
  var sha256: String?

  var parts: [StorePart] {
    if let bytes, let sha256 { [StorePart(bytes: bytes, sha256: sha256)] } else { [] }
  }

  init(_ record: RemoteRecord, as key: Digest) {
    self.key = key.hex
    (checkedAt, freshUntil) = (record.checkedAt, record.freshUntil)
    validators = record.validators
    failure = record.failure.map {
      Failure(reason: $0.rejection.reason.rawValue, detail: $0.rejection.detail, until: $0.until)
    }
    (bytes, sha256) = (record.kept?.size, record.kept?.digest.hex)
  }

  /// Nil if times make no sense; the store's parser has checked the parts.
  var record: RemoteRecord? {
    // Far from where sums overflow.
    let times = 0...(Int64(1) << 40)
    guard times.contains(checkedAt), times.contains(freshUntil),
      times.contains(failure?.until ?? 0)
    else { return nil }
    return RemoteRecord(
      kept: zip(parts, parts.map { Digest(hex: $0.sha256) }).compactMap { part, digest in
        digest.map { RemoteRecord.Kept(digest: $0, size: part.bytes) }
      }.first,
      validators: validators, checkedAt: checkedAt,
      freshUntil: max(freshUntil, checkedAt + Self.lifetime),
      failure: failure.map {
        RemoteRecord.Failure(
          Rejection(Reason(rawValue: $0.reason), $0.detail.plain), until: $0.until)
      })
  }
}

extension BuildContext {
  /// The answer of another machine to a question that would be asked now; its bytes are kept here.
  ///
  /// One that is too old to be used without asking is still good for its validators. Nil if the store
  /// has nothing better than what is known here.
  func sharedAnswer(
    _ key: Digest, _ own: RemoteRecord?, _ policy: RemotePolicy
  ) throws -> RemoteRecord? {
    guard let shared, policy.mode != .afresh else { return nil }
    switch plan(policy, for: own, key) {
    case .settled(.failed) where policy.mode == .offline: break
    case .settled: return nil
    case .ask: break
    }
    guard let (header, parts) = shared.get(key, as: SharedAnswer.self) else { return nil }
    guard let record = header.record else {
      shared.distrust(key, SharedAnswer.self)
      return nil
    }
    if case .settled(let verdict) = policy.plan(for: record, now: now) {
      if case .failed = verdict, own?.kept != nil { return nil }
      tally.count(\.storeFetched)
    } else if own?.kept != nil {
      return nil
    }
    if let bytes = parts.first { try originals.put(bytes) }
    try addresses().put(.fetches, [(key, FetchRecord.bytes(of: record))])
    return record
  }

  /// Keeps an answer in the store for other machines; one that is not new is only marked as used.
  func share(_ record: RemoteRecord?, as key: Digest, isNew: Bool) throws {
    guard let shared, shared.mode.writes, let record,
      record.kept != nil || record.failure != nil,
      isNew || !shared.touch(key, as: SharedAnswer.self)
    else { return }
    var parts: [Data] = []
    if let kept = record.kept {
      guard let bytes = try originals.get(kept.digest) else { return }
      parts = [bytes]
    }
    shared.put(SharedAnswer(record, as: key), parts, as: key)
  }
}
