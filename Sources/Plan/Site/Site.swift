package import Bytes
import Foundation
package import Manifest
package import Recipes

/// Everything that the pages are made of.
package struct SiteContent: Sendable {
  package var manifest: Manifest
  package var variants: StyleVariants
  package internal(set) var assignments: [Assignment]
  /// Users whose picture is not settled yet, ascending.
  package internal(set) var pending: [Int]
  package var sources = SourceSet()
  /// Of users, in the order of the variant's images.
  var results: [SlotID: Result<[Asset], Rejection>] = [:]
  var siteResults: [SiteImage: Result<Asset, Rejection>] = [:]
  /// Sources with a colour profile that cannot be used.
  package internal(set) var withoutProfile: Set<Int> = []
  /// By source that was decoded, of its first plan: others may decode it at another scale.
  package internal(set) var traits: [Int: (plan: Int, traits: PictureTraits)] = [:]
  /// The texts that are written in pictures, with the digests of their fonts.
  package var fonts: [String: [String]] = [:]

  /// Before anything is gathered.
  package init(_ manifest: Manifest, _ resources: StyleResources) {
    self.manifest = manifest
    variants = StyleVariants(manifest.styles, resources: resources)
    assignments = Array(repeating: Assignment(), count: manifest.users.count)
    pending = Array(manifest.users.indices)
  }

  /// The styles of a user that have images, as indices, in the manifest's order.
  package func styles(of user: Int) -> [Int] {
    let own = manifest.users[user].styles ?? Array(manifest.styles.indices)
    return own.filter { !variants.plans[$0].picture.isEmpty }
  }

  /// The styles that a user's card shows: of those that the manifest names for it, what the user
  /// has, in its order; else the user's first.
  package func shownStyles(of user: Int) -> [Int] {
    let own = styles(of: user)
    let wanted = manifest.pages.show?.filter(own.contains) ?? []
    return wanted.isEmpty ? Array(own.prefix(1)) : wanted
  }

  /// The styles that exports of avatars are made of, as indices: those with PNG files.
  package var exportableStyles: [Int] {
    manifest.styles.indices.filter { style in
      variants.plans[style].picture.contains { $0.format == .png }
    }
  }

  /// What the images of a user in a style are called; nil without a source, and before a plan asks
  /// for them.
  package func slot(of user: Int, style: Int) -> SlotID? {
    guard let source = assignments[user].source else { return nil }
    return variants.variant(of: manifest.users[user], style: style, sources.sources[source])
      .map { SlotID(source: source, variant: $0) }
  }

  /// A user's images of one style; empty when the user has none.
  package func images(of user: Int, style: Int) -> [(scale: Double, asset: Asset)] {
    guard let slot = slot(of: user, style: style), let assets = assets(of: slot) else { return [] }
    return zip(variants.plans[slot.variant.plan].picture, assets).map { ($0.scale, $1) }
  }

  /// The finished bitmaps of a button's state, by scale; those that failed are left out.
  package func bitmaps(
    of button: ButtonStyle, state: ButtonStyle.State, in appearance: ButtonStyle.Appearance,
    at scales: [Double]
  ) -> [(bitmap: ButtonBitmap, asset: Asset)] {
    button.bitmaps(at: scales).compactMap { bitmap in
      guard bitmap.state == state, bitmap.appearance == appearance else { return nil }
      return asset(of: bitmap.siteImage).map { (bitmap, $0) }
    }
  }

  /// The finished pictures of a strip, by scale; those that failed are left out.
  package func images(of strip: ShadowStrip) -> [(scale: Double, asset: Asset)] {
    strip.bitmaps.compactMap { scale, siteImage in
      asset(of: siteImage).map { (Double(scale), $0) }
    }
  }

  package func source(of user: Int) -> Source? {
    assignments[user].source.map { sources.sources[$0] }
  }

  /// The number of users with each status, in the order of the report.
  package var statusCounts: [(status: String, count: Int)] {
    var counts: [UserStatus: Int] = [:]
    for user in manifest.users.indices { counts[status(of: user), default: 0] += 1 }
    return UserStatus.allCases.map { ($0.rawValue, counts[$0, default: 0]) }
  }
}

extension Placeholder {
  /// `#rrggbb`: it is opaque.
  package var colorText: String { String(color.hex.prefix(7)) }

  /// Base64, as usual for ThumbHashes.
  package var thumbHashText: String { Data(thumbHash).base64EncodedString() }
}

/// The output folder: finished images by digest, and files that are written on demand.
package struct Site: Sendable {
  package struct File: Sendable, Hashable {
    package let path: String
    package let size: Int64
    package let digest: Digest

    package init(path: String, size: Int64, digest: Digest) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }

    package init(_ asset: Asset) { self.init(asset, at: asset.path) }

    /// An image under a name that a program looks for.
    package init(_ asset: Asset, at path: String) {
      self.init(path: path, size: asset.bytes, digest: asset.digest)
    }

    /// The folder of pictures under the names of their users.
    package static let aliases = "u/"

    /// Whether it is a second name of a picture.
    package var isAlias: Bool { path.hasPrefix(Self.aliases) }

    package var isNamedByContent: Bool { Digest(assetPath: path) == digest }
  }

  /// A file that is made on demand; `write` gives the same bytes each time.
  package struct Page: Sendable {
    package var path: String
    /// Images whose bytes follow what is written, in this order.
    package var contained: [Digest] = []
    /// The text after each of them; then they are in base64.
    package var between: [String]?
    package var write: @Sendable (_ emit: ([UInt8]) throws -> Void) throws -> Void

    package init(
      path: String, write: @escaping @Sendable (_ emit: ([UInt8]) throws -> Void) throws -> Void
    ) {
      self.path = path
      self.write = write
    }

    package init(_ path: String, _ text: String) {
      self.init(path: path) { try $0(Array(text.utf8)) }
    }
  }

  /// Distinct and sorted by path.
  package var images: [File]
  /// In the order of publishing: a page comes after those that it names.
  package var pages: [Page]

  package init(images: [File], pages: [Page]) {
    self.images = images
    self.pages = pages
  }
}

extension Digest {
  /// The path of an image with these bytes in `output`.
  package func path(as format: OutputFormat) -> String {
    let name = hex
    return "assets/\(name.prefix(2))/\(name).\(format.fileExtension)"
  }

  /// The digest of an image, by its path in `output`.
  package init?(assetPath path: String) {
    self.init(hex: path.dropFirst("assets/00/".count).prefix(64))
    guard OutputFormat.allCases.contains(where: { self.path(as: $0) == path }) else { return nil }
  }
}
