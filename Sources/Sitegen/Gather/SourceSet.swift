package import Files
package import Imaging
package import Store

/// One picture's worth of bytes, a colour, or what to draw.
///
/// Equal bytes are one source, whatever they are called.
package struct Source: Sendable {
  package enum Origin: Sendable, Hashable {
    /// A path beneath the manifest's folder.
    case file(String)
    case color(Color)
    case generated(Generated)
    /// Images that users got; never a user's own source.
    case sheet(Sheet)
    /// The same, with words.
    case collage(Collage)
  }

  /// Of the bytes, or of a text such as `color:#rrggbbaa`.
  package var digest: Digest
  package var origin: Origin
  /// Nil for what has no bytes.
  package var inspection: Inspection?

  package init(digest: Digest, origin: Origin, inspection: Inspection? = nil) {
    self.digest = digest
    self.origin = origin
    self.inspection = inspection
  }
}

/// Every source that was looked at, and what each way of naming one came to.
package struct SourceSet: Sendable {
  /// Distinct by digest.
  package private(set) var sources: [Source] = []
  private var numbers: [Digest: Int] = [:]
  private var found: [AvatarSource.Kind: Result<Int, Rejection>] = [:]
  /// The stamp of each file as it was when its bytes were hashed, nil for a missing one.
  package private(set) var stamps: [AvatarSource.Kind: FileStamp?] = [:]
  /// False when some file was so young that its stamp proves nothing.
  package private(set) var stampsAreTrustworthy = true

  package init() {}

  package subscript(kind: AvatarSource.Kind) -> Result<Int, Rejection>? { found[kind] }

  package mutating func add(_ source: Source, for kind: AvatarSource.Kind) {
    if let number = numbers[source.digest] {
      found[kind] = .success(number)
      return
    }
    numbers[source.digest] = sources.count
    found[kind] = .success(sources.count)
    sources.append(source)
  }

  package mutating func add(_ rejection: Rejection, for kind: AvatarSource.Kind) {
    found[kind] = .failure(rejection)
  }

  package mutating func note(
    _ file: AvatarSource.Kind, _ stamp: FileStamp?, isTrustworthy: Bool
  ) {
    stamps[file] = .some(stamp)
    stampsAreTrustworthy = stampsAreTrustworthy && isTrustworthy
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
