package import Recipes
package import Store

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

/// Every image that was made or found: users' images by source and look, and the site's own.
package struct RenderedSet: Sendable {
  /// Images that fail together: those of a look of a source, or one of the site.
  package enum Group: Sendable {
    case look(source: Int, look: Int)
    case siteImage(SiteImage)
  }

  private struct Slot: Hashable {
    var source: Int
    var look: Int
  }

  private var results: [Slot: Result<[Asset], Rejection>] = [:]
  private var siteImages: [SiteImage: Result<Asset, Rejection>] = [:]
  // Beside the images and not in them: there are six of them for each of these, or more.
  private var placeholders: [Slot: PackedPlaceholder] = [:]
  private var focuses: [Slot: FoundFocus] = [:]
  private var qualities: [Slot: [UInt8]] = [:]
  private var withoutProfile: Set<Int> = []

  package init() {}

  /// Whether it is known what became of a group.
  package func knows(_ group: Group) -> Bool {
    switch group {
    case .look(let source, let look): self[source, look] != nil
    case .siteImage(let siteImage): siteImages[siteImage] != nil
    }
  }

  /// Takes what became of a group; images are complete and in the order of its variants.
  package mutating func add(_ result: Result<[Render], Rejection>, for group: Group) {
    switch (group, result) {
    case (.look(let source, let look), .success(let renders)):
      add(renders, source: source, look: look)
    case (.look(let source, let look), .failure(let rejection)):
      self[source, look] = .failure(rejection)
    case (.siteImage(let siteImage), _):
      siteImages[siteImage] = result.map { $0[0].asset }
    }
  }

  /// The image of the site; nil when it could not be made, or nobody asked for it.
  package func asset(of siteImage: SiteImage) -> Asset? { try? siteImages[siteImage]?.get() }

  /// Why images of the site are missing, by the places that asked for them.
  package var siteImageFailures: [(siteImage: SiteImage, rejection: Rejection)] {
    let failures = siteImages.compactMap { siteImage, result in
      if case .failure(let rejection) = result { (siteImage, rejection) } else { nil }
    }
    return failures.sorted { ($0.0.path, $0.1.detail) < ($1.0.path, $1.1.detail) }
  }

  /// What became of a look of a source; nil when it was never asked for.
  package subscript(source: Int, look: Int) -> Result<[Asset], Rejection>? {
    get { results[Slot(source: source, look: look)] }
    set { results[Slot(source: source, look: look)] = newValue }
  }

  /// In the order of the look's variants; nil when there are none.
  package func assets(source: Int, look: Int) -> [Asset]? {
    try? self[source, look]?.get()
  }

  /// Takes a look of a source, complete and in the order of the look's variants.
  package mutating func add(_ renders: [Render], source: Int, look: Int) {
    let slot = Slot(source: source, look: look)
    results[slot] = .success(renders.map(\.asset))
    if renders.contains(where: \.metadata.ignoresProfile) { withoutProfile.insert(source) }
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
  package func placeholder(source: Int, look: Int) -> Placeholder? {
    placeholders[Slot(source: source, look: look)]?.placeholder
  }

  /// Whether any look asked for one.
  package var hasFocus: Bool { !focuses.isEmpty }

  /// What the look's finder chose; nil when it has none.
  package func focus(source: Int, look: Int) -> FoundFocus? {
    focuses[Slot(source: source, look: look)]
  }

  /// The quality that a limit of bytes led to, for each image; nil where no limit was set.
  package func quality(source: Int, look: Int, variant: Int) -> Int? {
    guard let all = qualities[Slot(source: source, look: look)], all.indices.contains(variant)
    else { return nil }
    return all[variant] == 0 ? nil : Int(all[variant])
  }

  /// Whether a source has a colour profile that cannot be used.
  package func ignoresProfile(source: Int) -> Bool { withoutProfile.contains(source) }

  /// Why a source cannot be shown in these looks; nil when it can.
  package func rejection(source: Int, looks: [Int]) -> Rejection? {
    for look in looks {
      if case .failure(let rejection) = self[source, look] { return rejection }
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
    for (place, byte) in placeholder.thumbHash.prefix(bytes.count).enumerated() {
      bytes[place] = byte
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
