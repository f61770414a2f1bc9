package import Bytes
import Foundation
import Manifest
package import Recipes

package struct Job: Sendable {
  package var source: Source
  package var number = 0
  package var variants: [Variant] = []
  package var siteImages: [SiteImage] = []
  /// The recipes for the variants' images, followed by those for the site images.
  package var recipes: [Recipe] = []
  package var keys: [Digest] = []

  package init(_ source: Source, number: Int = 0, variants: [Variant] = []) {
    (self.source, self.number, self.variants) = (source, number, variants)
  }
}

extension SiteContent {
  /// Plans the pending users' images, and adds the variants that they need.
  ///
  /// - Returns: The jobs, one per source, and the number of wanted images, including duplicates.
  package mutating func plan() -> (jobs: [Job], wanted: Int) {
    var jobs: [Job] = []
    var wanted = 0
    var indices: [Int: Int] = [:]
    var slots: Set<SlotID> = []
    for user in pending {
      guard let source = assignments[user].source else { continue }
      let own = variants.add(manifest.users[user], sources.sources[source])
      wanted += own.reduce(0) { $0 + variants.plans[$1.plan].picture.count }
      let index = indices[source] ?? jobs.count
      if index == jobs.count {
        indices[source] = index
        jobs.append(Job(sources.sources[source], number: source))
      }
      jobs[index].variants += own.filter {
        slots.insert(SlotID(source: source, variant: $0)).inserted
      }
    }
    return (jobs, wanted)
  }
}

extension Job {
  package static func jobs(for siteImages: [SiteImage]) -> [Job] {
    var jobs: [Job] = []
    var indices: [Digest: Int] = [:]
    for siteImage in siteImages {
      let index = indices[siteImage.source.digest] ?? jobs.count
      if index == jobs.count {
        indices[siteImage.source.digest] = index
        jobs.append(Job(siteImage.source))
      }
      jobs[index].siteImages.append(siteImage)
    }
    return jobs
  }
}

extension Recipe {
  /// Returns the render key: SHA-256(source digest × normalized recipe × renderer fingerprint).
  ///
  /// Keys are never invalidated: a changed recipe, codec or picture results in a different key.
  package func key(of source: Digest, by renderer: String) throws -> Digest {
    try base(renderer).key(of: source, focus: frame.focus)
  }

  /// Hashes the recipe without the focus, so that each key requires hashing only 80 more bytes.
  fileprivate func base(_ renderer: String) throws -> Digest {
    var recipe = self
    recipe.frame.focus = .center
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return Digest(of: [UInt8](try encoder.encode(recipe)) + [0] + Array(renderer.utf8))
  }
}

extension Digest {
  fileprivate func key(of source: Digest, focus: Focus) -> Digest {
    var writer = ByteWriter()
    writer.write(raw: source.bytes)
    writer.write(raw: bytes)
    // Adding 0 turns -0 into 0. The bytes are big-endian.
    for fraction in [focus.x, focus.y] { writer.write((fraction + 0).bitPattern.byteSwapped) }
    return Digest(of: writer.bytes)
  }
}

/// Parts of render keys, precomputed because encoding a recipe takes longer than hashing it.
package struct RecipeKeys: Sendable {
  /// For each plan, the hashes for pictures, drawn sources, and pictures with a pinned focus.
  private let bases: [[[(digest: Digest, focus: Focus)]]]

  package init(_ variants: StyleVariants, fingerprint: String) throws {
    bases = try variants.plans.map { plan in
      let pinned = plan.picture.map { $0.pinned(at: .center) }
      return try [plan.picture, plan.drawn, pinned].map { images in
        try images.map { (try $0.recipe.base(fingerprint), $0.recipe.frame.focus) }
      }
    }
  }

  package func keys(of variant: Variant, for source: Source) -> [Digest] {
    let focus = source.inspection == nil ? nil : variant.focus
    let bases = bases[variant.plan][focus != nil ? 2 : source.isDrawn ? 1 : 0]
    return bases.map { $0.digest.key(of: source.digest, focus: focus ?? $0.focus) }
  }
}
