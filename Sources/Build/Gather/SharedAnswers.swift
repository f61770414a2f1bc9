import Bytes
import Fetch
import Foundation
import Recipes
import Store

/// A server's response for one URL, as a file in the shared store.
struct SharedAnswer: StoreHeader {
  struct Failure: Codable {
    var reason: String
    var detail: String
    var until: Int64
  }

  static let folder = "answers"
  /// The minimum time to treat a stored response as fresh, in seconds.
  static let lifetime: Int64 = 86_400

  var key: String
  var checkedAt: Int64
  var freshUntil: Int64
  var validators: Validators
  var failure: Failure?
  var bytes: Int?
  var sha256: String?

  var parts: [(bytes: Int, sha256: String)] {
    if let bytes, let sha256 { [(bytes, sha256)] } else { [] }
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

  /// Returns the record, or nil if its times are invalid.
  ///
  /// A successful response is fresh for at least `lifetime` seconds.
  func record(lifetime: Int64) -> RemoteRecord? {
    let times = 0...(Int64(1) << 40)
    guard times.contains(checkedAt), times.contains(freshUntil),
      times.contains(failure?.until ?? 0)
    else { return nil }
    return RemoteRecord(
      kept: parts.first.flatMap { part in
        Digest(hex: part.sha256).map { RemoteRecord.Kept(digest: $0, size: part.bytes) }
      },
      validators: validators, checkedAt: checkedAt,
      freshUntil: failure == nil ? max(freshUntil, checkedAt + lifetime) : freshUntil,
      failure: failure.map {
        RemoteRecord.Failure(
          Rejection(Reason(rawValue: $0.reason), $0.detail.plain), until: $0.until)
      })
  }
}

extension BuildContext {
  /// If a request is due, returns another machine's response that is better than the local record.
  ///
  /// A stale response is still useful for its validators.
  func sharedAnswer(
    _ key: Digest, _ own: RemoteRecord?, _ policy: RemotePolicy
  ) throws -> (record: RemoteRecord, bytes: Data?)? {
    guard let shared, policy.mode != .ignoringCache else { return nil }
    switch plan(policy, for: own, key) {
    case .known(.failed) where policy.mode == .offline: break
    case .known: return nil
    case .ask: break
    }
    guard let (header, parts) = shared.get(key, as: SharedAnswer.self) else { return nil }
    // A shard halves the lifetime, so that the publishing build still finds fresh responses.
    let lifetime = SharedAnswer.lifetime / (options.shard == nil ? 1 : 2)
    guard let record = header.record(lifetime: lifetime) else {
      shared.distrust(key, SharedAnswer.self)
      return nil
    }
    if own?.kept != nil, record.kept == nil || record.checkedAt <= own?.checkedAt ?? 0 {
      return nil
    }
    if case .known = policy.plan(for: record, now: now) {
      tally.count(\.storeFetched)
    } else if own?.kept != nil {
      return nil
    }
    return (record, parts.first)
  }

  /// Shares new responses with other machines, and marks existing responses as used.
  func share(_ answers: [(key: Digest, record: RemoteRecord?)], areNew: Bool) throws {
    guard let shared, shared.mode.writes else { return }
    // Write in parallel, because each write may cost a network round trip.
    try queue.map(answers) { [originals] key, record in
      guard let record, record.kept != nil || record.failure != nil,
        areNew || !shared.touch(key, as: SharedAnswer.self)
      else { return }
      var parts: [Data] = []
      if let kept = record.kept {
        guard let bytes = try originals.get(kept.digest) else { return }
        parts = [bytes]
      }
      shared.put(SharedAnswer(record, as: key), parts, as: key)
    } receive: { _, result in
      try result.get()
    }
  }
}
