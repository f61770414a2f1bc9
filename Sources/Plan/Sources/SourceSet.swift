package import Bytes
package import Files
package import Manifest
package import Recipes

/// A picture of an earlier time is shown, since the one of now cannot be fetched or used.
package struct Staleness: Hashable, Sendable {
  /// When its bytes were last known to be right, in seconds since 1970.
  package let checkedAt: Int64
  /// Why the current picture cannot be shown.
  package let rejection: Rejection

  package init(checkedAt: Int64, rejection: Rejection) {
    self.checkedAt = checkedAt
    self.rejection = rejection
  }
}

/// Every source that was gathered, and which of them each key leads to.
package struct SourceSet: Sendable {
  /// Distinct by digest.
  package private(set) var sources: [Source] = []
  private var numbers: [Digest: Int] = [:]
  private var found: [SourceKey: Result<Int, Rejection>] = [:]
  /// The last good pictures of files that cannot be read, and of addresses whose hosts fail.
  package private(set) var lastGood: [SourceKey: (source: Int, checkedAt: Int64)] = [:]
  /// The stamp of each file as it was when its bytes were hashed, nil for a missing one.
  package private(set) var stamps: [SourcePath: FileStamp?] = [:]
  /// False when some file was so young that its stamp proves nothing.
  package private(set) var stampsAreTrustworthy = true
  /// Files with other bytes than those that are known to give pictures.
  package private(set) var unverified: Set<SourcePath> = []
  /// Until when all that was fetched need not be asked for again, in seconds since 1970.
  package private(set) var freshUntil = Int64.max

  package init() {}

  /// The number of the source; nil for what was not gathered.
  package subscript(key: SourceKey) -> Result<Int, Rejection>? { found[key] }

  /// The source of a key, or else the last good one.
  package func shown(for key: SourceKey) -> Int? {
    (try? found[key]?.get()) ?? lastGood[key]?.source
  }

  /// Why the last good picture of a key is shown; nil if the current one is.
  package func staleness(of key: SourceKey) -> Staleness? {
    guard case .failure(let rejection) = found[key], let (_, checkedAt) = lastGood[key] else {
      return nil
    }
    return Staleness(checkedAt: checkedAt, rejection: rejection)
  }

  /// Takes what a key leads to, and when it must be gathered again.
  package mutating func add(
    _ result: Result<Source, Rejection>, for key: SourceKey, until moment: Int64 = .max
  ) {
    found[key] = result.map { number(of: $0) }
    freshUntil = min(freshUntil, moment)
  }

  package mutating func add(lastGood source: Source, for key: SourceKey, checkedAt: Int64) {
    lastGood[key] = (number(of: source), checkedAt)
  }

  package mutating func note(
    _ file: SourcePath, _ stamp: FileStamp?, isTrustworthy: Bool, isVerified: Bool
  ) {
    if !isVerified { unverified.insert(file) }
    stamps[file] = .some(stamp)
    stampsAreTrustworthy = stampsAreTrustworthy && isTrustworthy
  }

  /// Takes what another set has found for these keys.
  package mutating func add(_ keys: some Sequence<SourceKey>, from other: SourceSet) {
    for key in keys {
      if let result = other.found[key] { add(result.map { other.sources[$0] }, for: key) }
      if let (source, checkedAt) = other.lastGood[key] {
        add(lastGood: other.sources[source], for: key, checkedAt: checkedAt)
      }
    }
    stamps.merge(other.stamps) { $1 }
    unverified.formUnion(other.unverified)
    stampsAreTrustworthy = stampsAreTrustworthy && other.stampsAreTrustworthy
  }

  private mutating func number(of source: Source) -> Int {
    guard let number = numbers[source.digest] else {
      numbers[source.digest] = sources.count
      sources.append(source)
      return sources.count - 1
    }
    // Another file has the bytes.
    if sources[number].place == .gone { sources[number] = source }
    return number
  }

  /// Forgets all that led to sources which have changed, so that it is gathered again.
  ///
  /// - Returns: The keys that led to them, and the numbers of the sources.
  package mutating func forget(
    _ digests: Set<Digest>
  ) -> (keys: Set<SourceKey>, sources: Set<Int>) {
    let changed = Set(sources.indices.filter { digests.contains(sources[$0].digest) })
    var keys = Set(lastGood.filter { changed.contains($0.value.source) }.keys)
    for case (let key, .success(let source)) in found where changed.contains(source) {
      keys.insert(key)
    }
    for key in keys {
      found[key] = nil
      lastGood[key] = nil
    }
    for digest in digests { numbers[digest] = nil }
    return (keys, changed)
  }
}
