package import Bytes
import Foundation
package import Manifest
package import Recipes

/// One source, and the images that are made of it.
package struct Job: Sendable {
  package var source: Source
  /// The number of a source of users.
  package var number = 0
  /// The variants of styles in which users want it, ascending.
  package var variants: [Int] = []
  /// What the site wants of it.
  package var siteImages: [SiteImage] = []
  /// Of every image of the variants, then of the site.
  package var recipes: [Recipe] = []
  /// The render keys, in the order of the recipes.
  package var keys: [Digest] = []

  package init(_ source: Source, number: Int = 0, variants: [Int] = []) {
    (self.source, self.number, self.variants) = (source, number, variants)
  }

  package var slots: [SlotID] { variants.map { SlotID(source: number, variant: $0) } }
}

/// The images that a build needs, as jobs.
package struct Plan: Sendable {
  /// One for each source, in the order of the users who need it first.
  package private(set) var jobs: [Job] = []
  /// Images that are wanted; equal ones count each.
  package private(set) var wanted = 0

  /// Plans for the pending users, and adds the variants that they need.
  package init(
    _ assignment: SourceAssignment, users: [User], variants: inout StyleVariants,
    sources: SourceSet
  ) {
    var indices: [Int: Int] = [:]
    /// Of sources whose users do not all want the same.
    var mixed: [Int: Set<Int>] = [:]
    for user in assignment.pending {
      guard let source = assignment.assignments[user].source else { continue }
      let own = variants.add(users[user], sources.sources[source])
      wanted += own.reduce(0) { $0 + variants.plan(of: $1).picture.count }
      if let index = indices[source] {
        if jobs[index].variants != own {
          mixed[index, default: Set(jobs[index].variants)].formUnion(own)
        }
      } else {
        indices[source] = jobs.count
        jobs.append(Job(sources.sources[source], number: source, variants: own.sorted()))
      }
    }
    for (index, variants) in mixed { jobs[index].variants = variants.sorted() }
  }

  /// Plans images of the site.
  package init(_ siteImages: [SiteImage]) {
    var indices: [Digest: Int] = [:]
    wanted = siteImages.count
    for siteImage in siteImages {
      let index = indices[siteImage.source.digest] ?? jobs.count
      if index == jobs.count {
        indices[siteImage.source.digest] = index
        jobs.append(Job(siteImage.source))
      }
      jobs[index].siteImages.append(siteImage)
    }
  }
}

/// SHA-256(source digest × normalised recipe × renderer fingerprint): the name of a render.
///
/// Nothing is ever invalidated: another recipe, another codec or another picture is another key. The
/// recipe and the fingerprint become one digest per image, so that each key costs one hash of 80 bytes.
/// The focus is separate, because the recipes of users who each pin a point differ in nothing else.
package struct RenderKey: Sendable {
  private let base: [UInt8]
  private let suffix: [UInt8]

  package init(recipe: Recipe, fingerprint: String) throws {
    var recipe = recipe
    let focus = recipe.frame.focus
    recipe.frame.focus = .center
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var bytes = [UInt8](try encoder.encode(recipe))
    bytes.append(0)
    bytes.append(contentsOf: fingerprint.utf8)
    self.init(base: Digest(of: bytes).bytes, focus: focus)
  }

  private init(base: [UInt8], focus: Focus) {
    self.base = base
    var writer = ByteWriter()
    writer.write(raw: base)
    // Both zeroes are one; the highest byte comes first.
    for fraction in [focus.x, focus.y] { writer.write((fraction + 0).bitPattern.byteSwapped) }
    suffix = writer.bytes
  }

  /// The key of the same recipe with another focus.
  package func moved(to focus: Focus) -> RenderKey { RenderKey(base: base, focus: focus) }

  package func key(of source: Digest) -> Digest { Digest(of: source.bytes + suffix) }
}

/// The keys of all images of all plans, without a source: encoding a recipe is slower than hashing it.
package struct RecipeKeys: Sendable {
  private let variants: StyleVariants
  /// By plan: for pictures, for what is drawn, for colours, and for pictures that users pin.
  private let keys: [[[RenderKey]]]

  package init(_ variants: StyleVariants, fingerprint: String) throws {
    self.variants = variants
    keys = try variants.plans.map { plan in
      let pinned = plan.picture.map { $0.pinned(at: .center) }
      return try [plan.picture, plan.drawn, plan.color, pinned].map { images in
        try images.map { try RenderKey(recipe: $0.recipe, fingerprint: fingerprint) }
      }
    }
  }

  /// In the order of the variant's images.
  package func keys(of variant: Int, for source: Source) -> [Digest] {
    let keys = keys[variants[variant].plan]
    guard source.inspection != nil, let focus = variants[variant].focus else {
      return keys[source.pixels.rawValue].map { $0.key(of: source.digest) }
    }
    return keys[3].map { $0.moved(to: focus).key(of: source.digest) }
  }
}
