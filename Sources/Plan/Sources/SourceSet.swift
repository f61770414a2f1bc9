package import Bytes
package import Files
package import Manifest
package import Recipes

/// A picture of an earlier time, since the one of now cannot be fetched or used.
package struct Staleness: Hashable, Sendable {
  /// When its bytes were last known to be right, in seconds since 1970.
  package var checkedAt: Int64
  /// Why the one of now cannot be had.
  package var rejection: Rejection

  package init(checkedAt: Int64, rejection: Rejection) {
    self.checkedAt = checkedAt
    self.rejection = rejection
  }
}

/// Every source that was looked at, and which source each name in the manifest leads to.
package struct SourceSet: Sendable {
  /// Distinct by digest.
  package private(set) var sources: [Source] = []
  private var numbers: [Digest: Int] = [:]
  private var found: [AvatarSource.Kind: Result<Int, Rejection>] = [:]
  /// The stamp of each file as it was when its bytes were hashed, nil for a missing one.
  package private(set) var stamps: [SourcePath: FileStamp?] = [:]
  /// False when some file was so young that its stamp proves nothing.
  package private(set) var stampsAreTrustworthy = true
  /// Files with other bytes than those that are known to give pictures.
  package private(set) var unproven: Set<SourcePath> = []
  /// Pictures that are not known to be right any more.
  package private(set) var stale: [AvatarSource.Kind: Staleness] = [:]
  /// Until when all that was fetched need not be asked for again, in seconds since 1970.
  package private(set) var freshUntil = Int64.max

  package init() {}

  package subscript(kind: AvatarSource.Kind) -> Result<Int, Rejection>? { found[kind] }

  /// Those that were looked at, in any order.
  package var addresses: [RemoteAddress] {
    found.keys.compactMap { if case .remote(let address) = $0 { address } else { nil } }
  }

  package mutating func add(_ source: Source, for kind: AvatarSource.Kind) {
    if let number = numbers[source.digest] {
      found[kind] = .success(number)
      // Another file has the bytes.
      if sources[number].origin == .earlier { sources[number] = source }
      return
    }
    numbers[source.digest] = sources.count
    found[kind] = .success(sources.count)
    sources.append(source)
  }

  package mutating func add(_ rejection: Rejection, for kind: AvatarSource.Kind) {
    found[kind] = .failure(rejection)
  }

  /// Notes when an address must be asked for again; `staleness` is nil for a picture that is up to date.
  package mutating func note(
    _ kind: AvatarSource.Kind, _ staleness: Staleness?, until moment: Int64 = .max
  ) {
    stale[kind] = staleness
    freshUntil = min(freshUntil, moment)
  }

  package mutating func note(
    _ file: SourcePath, _ stamp: FileStamp?, isTrustworthy: Bool, isProven: Bool
  ) {
    if !isProven { unproven.insert(file) }
    stamps[file] = .some(stamp)
    stampsAreTrustworthy = stampsAreTrustworthy && isTrustworthy
  }

  package func numbers(of digests: Set<Digest>) -> Set<Int> {
    if digests.isEmpty { return [] }
    return Set(sources.indices.filter { digests.contains(sources[$0].digest) })
  }

  /// Makes the next gathering look again at all that led to sources which changed meanwhile.
  ///
  /// - Returns: The kinds that led to them.
  package mutating func forget(_ changed: Set<Int>) -> [AvatarSource.Kind] {
    let kinds = found.compactMap { kind, result in
      (try? result.get()).map(changed.contains) == true ? kind : nil
    }
    for kind in kinds { found[kind] = nil }
    for source in changed { numbers[sources[source].digest] = nil }
    return kinds
  }
}
