package import Bytes
import Diagnostics
package import Recipes

/// One finished image: the digest of its bytes, its size in pixels and in bytes.
package struct Asset: Hashable, Sendable, BitwiseCopyable {
  package var digest: Digest
  package var width: Int32
  package var height: Int32
  package var bytes: Int64

  package init(digest: Digest, width: Int32, height: Int32, bytes: Int64) {
    self.digest = digest
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

/// What a render key stands for: an image in the store, and what was found out about it.
package struct Render: Hashable, Sendable {
  package var asset: Asset
  package var metadata: RenderMetadata

  package init(_ asset: Asset, metadata: RenderMetadata = RenderMetadata()) {
    self.asset = asset
    self.metadata = metadata
  }
}

/// Every image that was made or found: users' images, and the site's own.
package struct RenderedSet: Sendable {
  /// Images that fail together: those of a source in a variant, or one of the site.
  package enum Group: Sendable {
    case slot(SlotID)
    case siteImage(SiteImage)
  }

  private var results: [SlotID: Result<[Asset], Rejection>] = [:]
  private var siteImages: [SiteImage: Result<Asset, Rejection>] = [:]
  // Beside the images and not in them: there are six of them for each of these, or more.
  private var placeholders: [SlotID: PackedPlaceholder] = [:]
  private var focuses: [SlotID: FoundFocus] = [:]
  private var qualities: [SlotID: [UInt8]] = [:]
  private var withoutProfile: Set<Int> = []
  /// By source, of its first variant: others may decode it at another scale.
  private var traits: [Int: (variant: Int, traits: PictureTraits)] = [:]

  package init() {}

  /// Whether it is known what became of a group.
  package func knows(_ group: Group) -> Bool {
    switch group {
    case .slot(let slot): self[slot] != nil
    case .siteImage(let siteImage): siteImages[siteImage] != nil
    }
  }

  /// Takes what became of a group; images are complete and in their order.
  package mutating func add(_ result: Result<[Render], Rejection>, for group: Group) {
    switch (group, result) {
    case (.slot(let slot), .success(let renders)): add(renders, for: slot)
    case (.slot(let slot), .failure(let rejection)): self[slot] = .failure(rejection)
    case (.siteImage(let siteImage), _):
      siteImages[siteImage] = result.map { $0[0].asset }
    }
  }

  /// The image of the site; nil when it could not be made, or nobody asked for it.
  package func asset(of siteImage: SiteImage) -> Asset? { try? siteImages[siteImage]?.get() }

  /// Why images of the site are missing, by what asked for them.
  package var siteImageFailures: [(siteImage: SiteImage, rejection: Rejection)] {
    let failures = siteImages.compactMap { siteImage, result in
      if case .failure(let rejection) = result { (siteImage, rejection) } else { nil }
    }
    return failures.sorted { ($0.0.declared.path, $0.1.detail) < ($1.0.declared.path, $1.1.detail) }
  }

  /// What became of a user's images; nil when they were never asked for.
  package subscript(slot: SlotID) -> Result<[Asset], Rejection>? {
    get { results[slot] }
    set { results[slot] = newValue }
  }

  /// In the order of the variant's images; nil when there are none.
  package func assets(of slot: SlotID) -> [Asset]? { try? self[slot]?.get() }

  /// Takes the images of a slot, complete and in the order of the variant's images.
  package mutating func add(_ renders: [Render], for slot: SlotID) {
    results[slot] = .success(renders.map(\.asset))
    if renders.contains(where: \.metadata.ignoresProfile) {
      withoutProfile.insert(slot.source)
    }
    if let new = renders.lazy.compactMap(\.metadata.traits).first {
      var (first, others) = (traits[slot.source] ?? (slot.variant, new), new.flags)
      others.formUnion(first.traits.flags)
      if slot.variant < first.variant { first = (slot.variant, new) }
      // Only some styles look for faces.
      if others.contains(.noFaceFound) { first.traits.flags.insert(.noFaceFound) }
      traits[slot.source] = first
    }
    // Of the largest scale; of its formats, the first.
    var largest: (width: Int32, placeholder: Placeholder)?
    for render in renders where render.asset.width > largest?.width ?? 0 {
      if let placeholder = render.metadata.placeholder {
        largest = (render.asset.width, placeholder)
      }
    }
    placeholders[slot] = largest.map { PackedPlaceholder($0.placeholder) }
    focuses[slot] = renders.lazy.compactMap(\.metadata.focus).first
    let isLimited = renders.contains { $0.metadata.quality != nil }
    qualities[slot] =
      isLimited ? renders.map { UInt8(clamping: $0.metadata.quality ?? 0) } : nil
  }

  /// Of the finished picture; nil when nothing of it is visible.
  package func placeholder(of slot: SlotID) -> Placeholder? { placeholders[slot]?.placeholder }

  /// Whether any style asked for one.
  package var hasFocus: Bool { !focuses.isEmpty }

  /// What the style's finder chose; nil when it has none.
  package func focus(of slot: SlotID) -> FoundFocus? { focuses[slot] }

  /// The quality that a limit of bytes led to, for an image by number; nil where no limit was set.
  package func quality(of slot: SlotID, image: Int) -> Int? {
    guard let all = qualities[slot], all.indices.contains(image) else { return nil }
    return all[image] == 0 ? nil : Int(all[image])
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

  /// Makes every group unknown again that has one of these images.
  package mutating func forget(_ lost: Set<Digest>) {
    siteImages = siteImages.filter { _, result in
      guard case .success(let asset) = result else { return true }
      return !lost.contains(asset.digest)
    }
    results = results.filter { _, result in
      guard case .success(let assets) = result else { return true }
      return !assets.contains { lost.contains($0.digest) }
    }
  }
}

/// A placeholder without a memory block of its own: there may be a million of them.
private struct PackedPlaceholder: Sendable, BitwiseCopyable {
  private var bytes: InlineArray<25, UInt8>
  private let count: UInt8
  private let red: UInt8
  private let green: UInt8
  private let blue: UInt8

  init(_ placeholder: Placeholder) {
    bytes = InlineArray(repeating: 0)
    for (index, byte) in placeholder.thumbHash.prefix(bytes.count).enumerated() {
      bytes[index] = byte
    }
    count = UInt8(clamping: min(placeholder.thumbHash.count, bytes.count))
    red = placeholder.color.red
    green = placeholder.color.green
    blue = placeholder.color.blue
  }

  var placeholder: Placeholder {
    Placeholder(
      thumbHash: (0..<Int(count)).map { bytes[$0] },
      color: Color(red: red, green: green, blue: blue))
  }
}
