package import Bytes
import Diagnostics
package import Recipes

package struct Asset: Hashable, Sendable {
  package var digest: Digest
  package var format: OutputFormat
  package var width: Int32
  package var height: Int32
  package var bytes: Int64
  private var found: Found?

  /// Indirect to save memory, because most images do not have metadata.
  private indirect enum Found: Hashable, Sendable { case metadata(RenderMetadata) }

  package init(
    digest: Digest, format: OutputFormat, width: Int32, height: Int32, bytes: Int64,
    metadata: RenderMetadata = RenderMetadata()
  ) {
    (self.digest, self.format, self.width, self.height) = (digest, format, width, height)
    self.bytes = bytes
    if metadata != RenderMetadata() { found = .metadata(metadata) }
  }

  package var metadata: RenderMetadata {
    if case .metadata(let metadata) = found { metadata } else { RenderMetadata() }
  }

  package var path: String { digest.path(as: format) }
}

extension SiteContent {
  package mutating func add(_ job: Job, _ images: [Digest: Result<Asset, Rejection>]) {
    var rest = job.keys[...]
    for variant in job.variants {
      let count = variants.plans[variant.plan].picture.count
      let own = rest.prefix(count)
      rest = rest.dropFirst(count)
      add(
        Result { () throws(Rejection) in
          var assets: [Asset] = []
          for case let image? in own.map({ images[$0] }) { assets.append(try image.get()) }
          return assets
        }, for: SlotID(source: job.number, variant: variant))
    }
    for (siteImage, key) in zip(job.siteImages, rest) { siteResults[siteImage] = images[key] }
  }

  package mutating func add(_ result: Result<[Asset], Rejection>, for slot: SlotID) {
    results[slot] = result
    for metadata in assets(of: slot)?.map(\.metadata) ?? [] {
      if metadata.ignoresProfile { withoutProfile.insert(slot.source) }
      guard let new = metadata.traits else { continue }
      var (first, others) = (traits[slot.source] ?? (slot.variant.plan, new), new.flags)
      others.formUnion(first.traits.flags)
      if slot.variant.plan < first.plan { first = (slot.variant.plan, new) }
      if others.contains(.noFaceFound) { first.traits.flags.insert(.noFaceFound) }
      traits[slot.source] = first
    }
  }

  package subscript(slot: SlotID) -> Result<[Asset], Rejection>? { results[slot] }

  package subscript(siteImage: SiteImage) -> Result<Asset, Rejection>? { siteResults[siteImage] }

  /// Returns a slot's images in the variant's order; nil before rendering or after a failure.
  package func assets(of slot: SlotID) -> [Asset]? { try? results[slot]?.get() }

  package func asset(of siteImage: SiteImage) -> Asset? { try? siteResults[siteImage]?.get() }

  package var siteImageFailures: [(siteImage: SiteImage, rejection: Rejection)] {
    let failures = siteResults.compactMap { siteImage, result in
      if case .failure(let rejection) = result { (siteImage, rejection) } else { nil }
    }
    return failures.sorted { ($0.0.declared.path, $0.1.detail) < ($1.0.declared.path, $1.1.detail) }
  }

  /// Returns the placeholder of the largest image that has one; nil if all images are transparent.
  package func placeholder(of slot: SlotID) -> Placeholder? {
    var largest: (width: Int32, placeholder: Placeholder)?
    for asset in assets(of: slot) ?? [] where asset.width > largest?.width ?? 0 {
      if let placeholder = asset.metadata.placeholder { largest = (asset.width, placeholder) }
    }
    return largest?.placeholder
  }

  package func focus(of slot: SlotID) -> FoundFocus? {
    assets(of: slot)?.lazy.compactMap(\.metadata.focus).first
  }

  /// Returns why a source cannot be shown in one of the variants; nil if it can be shown in all.
  package func rejection(of source: Int, in variants: [Variant]) -> Rejection? {
    for variant in variants {
      if case .failure(let rejection) = self[SlotID(source: source, variant: variant)] {
        return rejection
      }
    }
    return nil
  }

  package mutating func forget(_ lost: Set<Digest>) -> Set<Int> {
    siteResults = siteResults.filter { _, result in
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
