package import Bytes
import Foundation
package import Manifest
package import Recipes

package struct SiteContent: Sendable {
  package var manifest: Manifest
  package var variants: StyleVariants
  package internal(set) var assignments: [Assignment]
  /// The users whose source may still change, in ascending order.
  package internal(set) var pending: [Int]
  package var sources = SourceSet()
  /// The results for users' images, each in the order of the variant's images.
  var results: [SlotID: Result<[Asset], Rejection>] = [:]
  var siteResults: [SiteImage: Result<Asset, Rejection>] = [:]
  package internal(set) var withoutProfile: Set<Int> = []
  /// Each source's traits, from its first plan only: other plans may decode it at another scale.
  package internal(set) var traits: [Int: (plan: Int, traits: PictureTraits)] = [:]
  /// The digests of the fonts needed for the texts in site images, keyed by text.
  package var fonts: [String: [String]] = [:]

  package init(_ manifest: Manifest, _ resources: StyleResources) {
    self.manifest = manifest
    variants = StyleVariants(manifest.styles, resources: resources)
    assignments = Array(repeating: Assignment(), count: manifest.users.count)
    pending = Array(manifest.users.indices)
  }

  package func styles(of user: Int) -> [Int] {
    let own = manifest.users[user].styles ?? Array(manifest.styles.indices)
    return own.filter { !variants.plans[$0].picture.isEmpty }
  }

  /// Returns the styles on a user's card: those in `show`, or else the user's first style.
  package func shownStyles(of user: Int) -> [Int] {
    let own = styles(of: user)
    let wanted = manifest.pages.show?.filter(own.contains) ?? []
    return wanted.isEmpty ? Array(own.prefix(1)) : wanted
  }

  /// The indices of the styles that have PNG files, which avatar exports require.
  package var exportableStyles: [Int] {
    manifest.styles.indices.filter { style in
      variants.plans[style].picture.contains { $0.format == .png }
    }
  }

  /// Returns the key of a user's images in a style; nil without a source or before planning.
  package func slot(of user: Int, style: Int) -> SlotID? {
    guard let source = assignments[user].source else { return nil }
    return variants.variant(of: manifest.users[user], style: style, sources.sources[source])
      .map { SlotID(source: source, variant: $0) }
  }

  package func images(of user: Int, style: Int) -> [(scale: Double, asset: Asset)] {
    guard let slot = slot(of: user, style: style), let assets = assets(of: slot) else { return [] }
    return zip(variants.plans[slot.variant.plan].picture, assets).map { ($0.scale, $1) }
  }

  package func bitmaps(
    of button: ButtonStyle, state: ButtonStyle.State, in appearance: ButtonStyle.Appearance,
    at scales: [Double]
  ) -> [(bitmap: ButtonBitmap, asset: Asset)] {
    button.bitmaps(at: scales).compactMap { bitmap in
      guard bitmap.state == state, bitmap.appearance == appearance else { return nil }
      return asset(of: bitmap.siteImage).map { (bitmap, $0) }
    }
  }

  package func images(of strip: ShadowStrip) -> [(scale: Double, asset: Asset)] {
    strip.bitmaps.compactMap { scale, siteImage in
      asset(of: siteImage).map { (Double(scale), $0) }
    }
  }

  package func source(of user: Int) -> Source? {
    assignments[user].source.map { sources.sources[$0] }
  }

  package var statusCounts: [(status: String, count: Int)] {
    var counts: [UserStatus: Int] = [:]
    for user in manifest.users.indices { counts[status(of: user), default: 0] += 1 }
    return UserStatus.allCases.map { ($0.rawValue, counts[$0, default: 0]) }
  }
}

extension Placeholder {
  /// The colour as `#rrggbb`, which is always opaque.
  package var colorText: String { String(color.hex.prefix(7)) }

  package var thumbHashText: String { Data(thumbHash).base64EncodedString() }
}

/// The contents of the output folder: finished images by digest, and files generated on demand.
package struct Site: Sendable {
  package struct File: Sendable, Hashable {
    package let path: String
    package let size: Int64
    package let digest: Digest

    package init(path: String, size: Int64, digest: Digest) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }

    package init(_ asset: Asset) { self.init(asset, at: asset.path) }

    package init(_ asset: Asset, at path: String) {
      self.init(path: path, size: asset.bytes, digest: asset.digest)
    }

    /// The folder for avatars that are named after users.
    package static let aliases = "u/"

    package var isAlias: Bool { path.hasPrefix(Self.aliases) }

    package var isNamedByContent: Bool { Digest(assetPath: path) == digest }
  }

  /// A file generated on demand; `write` emits the same bytes each time.
  package struct Page: Sendable {
    package var path: String
    /// The images that are written after the output of `write`, in this order.
    package var contained: [Digest] = []
    /// The text after each image; if set, the images are written as base64.
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

  package var images: [File]
  /// The pages in publishing order; a page comes after the pages that it refers to.
  package var pages: [Page]

  package init(images: [File], pages: [Page]) {
    self.images = images
    self.pages = pages
  }
}

extension Digest {
  package func path(as format: OutputFormat) -> String {
    let name = hex
    return "assets/\(name.prefix(2))/\(name).\(format.fileExtension)"
  }

  package init?(assetPath path: String) {
    self.init(hex: path.dropFirst("assets/00/".count).prefix(64))
    guard OutputFormat.allCases.contains(where: { self.path(as: $0) == path }) else { return nil }
  }
}
