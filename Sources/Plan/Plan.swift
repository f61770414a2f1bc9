package import Bytes
import Foundation
import Manifest
package import Recipes

/// One source, and the images that are made of it.
package struct Job: Sendable {
  package var source: Source
  /// The number of a source of users.
  package var number = 0
  /// The variants of styles in which users want it.
  package var variants: [Variant] = []
  /// What the site wants of it.
  package var siteImages: [SiteImage] = []
  /// Of every image of the variants, then of the site.
  package var recipes: [Recipe] = []
  /// The render keys, in the order of the recipes.
  package var keys: [Digest] = []

  package init(_ source: Source, number: Int = 0, variants: [Variant] = []) {
    (self.source, self.number, self.variants) = (source, number, variants)
  }
}

extension SiteContent {
  /// Plans for the pending users, and adds the variants that they need.
  ///
  /// - Returns: A job for each source, in the order of the users who need it first, and how many
  ///   images are wanted; equal ones count each.
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
  /// SHA-256(source digest × normalised recipe × renderer fingerprint): the name of a render.
  ///
  /// Nothing is ever invalidated: another recipe, another codec or another picture is another key.
  package func key(of source: Digest, by renderer: String) throws -> Digest {
    try base(renderer).key(of: source, focus: frame.focus)
  }

  /// One digest per image, so that each key costs one hash of 80 bytes.
  ///
  /// The focus is separate: the recipes of users who each pin a point differ in nothing else.
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
    // Both zeroes are one; the highest byte comes first.
    for fraction in [focus.x, focus.y] { writer.write((fraction + 0).bitPattern.byteSwapped) }
    return Digest(of: writer.bytes)
  }
}

/// The keys of all images of all plans, without a source: encoding a recipe is slower than hashing it.
package struct RecipeKeys: Sendable {
  /// By plan: for pictures, for what is drawn, for colours, and for pictures that users pin.
  private let bases: [[[(digest: Digest, focus: Focus)]]]

  package init(_ variants: StyleVariants, fingerprint: String) throws {
    bases = try variants.plans.map { plan in
      let pinned = plan.picture.map { $0.pinned(at: .center) }
      return try [plan.picture, plan.drawn, plan.color, pinned].map { images in
        try images.map { (try $0.recipe.base(fingerprint), $0.recipe.frame.focus) }
      }
    }
  }

  /// In the order of the variant's images.
  package func keys(of variant: Variant, for source: Source) -> [Digest] {
    let focus = source.inspection == nil ? nil : variant.focus
    let bases = bases[variant.plan][focus == nil ? source.pixels.rawValue : 3]
    return bases.map { $0.digest.key(of: source.digest, focus: focus ?? $0.focus) }
  }
}
