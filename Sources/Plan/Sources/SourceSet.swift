package import Files
import Foundation
package import Manifest
package import Recipes
package import Store

/// One picture's worth of bytes, a colour, or what to draw.
///
/// Equal bytes are one source, whatever they are called.
package struct Source: Sendable {
  package enum Origin: Sendable, Hashable {
    case file(SourcePath)
    case color(Color)
    case generated(Generated)
    /// Fetched, and kept in the cache.
    case fetched
    /// From the manifest itself.
    case inline(InlinePicture)
    /// Images that users got; never a user's own source.
    case sheet(Sheet)
    /// The same, with words.
    case collage(Collage)

    /// What the recipes of a style do with it.
    package var pixels: Pixels {
      switch self {
      case .file, .fetched, .inline: .decoded
      case .color: .plain
      case .generated, .sheet, .collage: .drawn
      }
    }
  }

  package enum Pixels: Int, CaseIterable, Sendable {
    /// A picture that is fitted into its frame.
    case decoded
    /// Drawn in the size of its frame.
    case drawn
    /// One colour, which has nothing to blur either.
    case plain
  }

  /// Of the bytes, or of a text such as `color:#rrggbbaa`.
  package var digest: Digest
  package var origin: Origin
  /// What the manifest calls its kind; never a path or an address.
  package var kind: String
  /// Nil for what has no bytes.
  package var inspection: Inspection?

  package init(digest: Digest, origin: Origin, kind: String, inspection: Inspection? = nil) {
    self.digest = digest
    self.origin = origin
    self.kind = kind
    self.inspection = inspection
  }
}

extension Source {
  /// A picture of one colour; its name stands in for the bytes it does not have.
  package init(color: Color) {
    self.init(
      digest: Digest(of: Array("color:\(color.hex)".utf8)), origin: .color(color), kind: "color")
  }

  /// A drawn picture; its description, fonts by digest included, stands in for bytes.
  package init(_ generated: Generated, kind: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let text = Array("generated:".utf8) + [UInt8](try encoder.encode(generated))
    self.init(digest: Digest(of: text), origin: .generated(generated), kind: kind)
  }
}

/// A picture that was fetched earlier and cannot be fetched now.
package struct Staleness: Hashable, Sendable {
  /// When its bytes were last known to be right, in seconds since 1970.
  package var checkedAt: Int64
  /// Why it cannot be fetched.
  package var rejection: Rejection

  package init(checkedAt: Int64, rejection: Rejection) {
    self.checkedAt = checkedAt
    self.rejection = rejection
  }
}

/// Every source that was looked at, and what each way of naming one came to.
package struct SourceSet: Sendable {
  /// Distinct by digest.
  package private(set) var sources: [Source] = []
  private var numbers: [Digest: Int] = [:]
  private var found: [AvatarSource.Kind: Result<Int, Rejection>] = [:]
  /// The stamp of each file as it was when its bytes were hashed, nil for a missing one.
  package private(set) var stamps: [SourcePath: FileStamp?] = [:]
  /// False when some file was so young that its stamp proves nothing.
  package private(set) var stampsAreTrustworthy = true
  /// Fetched pictures that are not known to be right any more.
  package private(set) var stale: [AvatarSource.Kind: Staleness] = [:]
  /// Until when all that was fetched need not be asked for again, in seconds since 1970.
  package private(set) var freshUntil = Int64.max

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

  /// - Parameters:
  ///   - kind: Something on the network.
  ///   - staleness: Nil for what is known to be right.
  ///   - moment: When it must be asked for again.
  package mutating func note(
    _ kind: AvatarSource.Kind, _ staleness: Staleness?, until moment: Int64
  ) {
    stale[kind] = staleness
    freshUntil = min(freshUntil, moment)
  }

  package mutating func note(_ file: SourcePath, _ stamp: FileStamp?, isTrustworthy: Bool) {
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
