package import Bytes
import Diagnostics
package import Recipes

/// Every image that was made or found: users' images, and the site's own.
package struct RenderedSet: Sendable {
  /// In the order of the variant's images.
  private var results: [SlotID: Result<[Asset], Rejection>] = [:]
  private var siteImages: [SiteImage: Result<Asset, Rejection>] = [:]
  private var withoutProfile: Set<Int> = []
  /// By source, of its first variant: others may decode it at another scale.
  private var traits: [Int: (variant: Int, traits: PictureTraits)] = [:]
  /// Whether any style asked for one.
  package private(set) var hasFocus = false

  package init() {}

  /// Takes what became of a job's images, by their keys.
  package mutating func add(
    _ job: Job, _ images: [Digest: Result<Asset, Rejection>], _ variants: StyleVariants
  ) {
    var rest = job.keys[...]
    for slot in job.slots {
      let count = variants.plan(of: slot.variant).picture.count
      let own = rest.prefix(count)
      rest = rest.dropFirst(count)
      add(
        Result { () throws(Rejection) in
          var assets: [Asset] = []
          for case let image? in own.map({ images[$0] }) { assets.append(try image.get()) }
          return assets
        }, for: slot)
    }
    for (siteImage, key) in zip(job.siteImages, rest) { siteImages[siteImage] = images[key] }
  }

  /// Takes the images of a slot, complete and in the order of the variant's images.
  package mutating func add(_ result: Result<[Asset], Rejection>, for slot: SlotID) {
    results[slot] = result
    for metadata in assets(of: slot)?.map(\.metadata) ?? [] {
      if metadata.ignoresProfile { withoutProfile.insert(slot.source) }
      if metadata.focus != nil { hasFocus = true }
      guard let new = metadata.traits else { continue }
      var (first, others) = (traits[slot.source] ?? (slot.variant, new), new.flags)
      others.formUnion(first.traits.flags)
      if slot.variant < first.variant { first = (slot.variant, new) }
      // Only some styles look for faces.
      if others.contains(.noFaceFound) { first.traits.flags.insert(.noFaceFound) }
      traits[slot.source] = first
    }
  }

  /// What became of a user's images; nil when they were never asked for.
  package subscript(slot: SlotID) -> Result<[Asset], Rejection>? { results[slot] }

  /// The same for an image of the site.
  package subscript(siteImage: SiteImage) -> Result<Asset, Rejection>? { siteImages[siteImage] }

  /// In the order of the variant's images; nil when there are none.
  package func assets(of slot: SlotID) -> [Asset]? { try? results[slot]?.get() }

  /// The image of the site; nil if it could not be made, or was not wanted.
  package func asset(of siteImage: SiteImage) -> Asset? { try? siteImages[siteImage]?.get() }

  /// Why images of the site are missing, by what asked for them.
  package var siteImageFailures: [(siteImage: SiteImage, rejection: Rejection)] {
    let failures = siteImages.compactMap { siteImage, result in
      if case .failure(let rejection) = result { (siteImage, rejection) } else { nil }
    }
    return failures.sorted { ($0.0.declared.path, $0.1.detail) < ($1.0.declared.path, $1.1.detail) }
  }

  /// Of the largest scale and its first format; nil when nothing of the picture is visible.
  package func placeholder(of slot: SlotID) -> Placeholder? {
    var largest: (width: Int32, placeholder: Placeholder)?
    for asset in assets(of: slot) ?? [] where asset.width > largest?.width ?? 0 {
      if let placeholder = asset.metadata.placeholder { largest = (asset.width, placeholder) }
    }
    return largest?.placeholder
  }

  /// What the style's finder chose; nil when it has none.
  package func focus(of slot: SlotID) -> FoundFocus? {
    hasFocus ? assets(of: slot)?.lazy.compactMap(\.metadata.focus).first : nil
  }

  /// What a source is like; nil when it was not decoded.
  package func traits(of source: Int) -> PictureTraits? { traits[source]?.traits }

  /// Whether a source has a colour profile that cannot be used.
  package func ignoresProfile(source: Int) -> Bool { withoutProfile.contains(source) }

  /// Why a source cannot be shown in these variants; nil when it can.
  package func rejection(of source: Int, in variants: [Int]) -> Rejection? {
    for variant in variants {
      if case .failure(let rejection) = self[SlotID(source: source, variant: variant)] {
        return rejection
      }
    }
    return nil
  }

  /// Makes everything unknown again that has one of these images.
  ///
  /// - Returns: The numbers of the users' sources among them.
  package mutating func forget(_ lost: Set<Digest>) -> Set<Int> {
    siteImages = siteImages.filter { _, result in
      guard case .success(let asset) = result else { return true }
      return !lost.contains(asset.digest)
    }
    var sources: Set<Int> = []
    results = results.filter { slot, result in
      guard case .success(let assets) = result,
        assets.contains(where: { lost.contains($0.digest) })
      else { return true }
      sources.insert(slot.source)
      return false
    }
    return sources
  }
}
