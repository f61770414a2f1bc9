import Foundation
package import Manifest
package import Recipes

/// Everything that the pages are made of, complete and unchanging.
package struct SiteContent: Sendable {
  package var manifest: Manifest
  package var variants: StyleVariants
  package var assignment: SourceAssignment
  package var sources = SourceSet()
  package var rendered = RenderedSet()
  /// What is written in pictures, and the digests of its fonts; what cannot be is left out.
  package var fonts: [String: [String]] = [:]

  /// Before anything is gathered.
  package init(_ manifest: Manifest, _ resources: StyleResources) {
    self.manifest = manifest
    variants = StyleVariants(manifest.styles, resources: resources)
    assignment = SourceAssignment(manifest.users)
  }

  /// The styles of a user that drew something, as indices, in the manifest's order.
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

  /// What `rendered` calls the images of a user in a style; nil without a source, and before a plan
  /// asks for them.
  package func slot(of user: Int, style: Int) -> SlotID? {
    guard let source = assignment.assignments[user].source else { return nil }
    return variants.number(of: manifest.users[user], style: style, sources.sources[source])
      .map { SlotID(source: source, variant: $0) }
  }

  /// A user's images of one style; empty when the user has none.
  package func images(of user: Int, style: Int) -> [(scale: Double, asset: Asset)] {
    guard let slot = slot(of: user, style: style), let assets = rendered.assets(of: slot) else {
      return []
    }
    return zip(variants.plan(of: slot.variant).picture, assets).map { ($0.scale, $1) }
  }

  /// The finished bitmaps of a button's state, by scale; those that failed are left out.
  package func bitmaps(
    of button: ButtonStyle, state: ButtonStyle.State, in appearance: ButtonStyle.Appearance,
    at scales: [Double]
  ) -> [(bitmap: ButtonBitmap, asset: Asset)] {
    button.bitmaps(of: state, in: appearance, at: scales).compactMap { bitmap in
      rendered.asset(of: bitmap.siteImage).map { (bitmap, $0) }
    }
  }

  /// The finished pictures of a strip, by scale; those that failed are left out.
  package func images(of strip: ShadowStrip) -> [(scale: Double, asset: Asset)] {
    strip.bitmaps.compactMap { scale, siteImage in
      rendered.asset(of: siteImage).map { (Double(scale), $0) }
    }
  }

  /// What a user's pictures are made of; nil for those without any.
  package func source(of user: Int) -> Source? {
    assignment.assignments[user].source.map { sources.sources[$0] }
  }

  /// How many users there are of each status, all of them, in the order in which they are told.
  package var statusCounts: [(status: String, count: Int)] {
    var counts: [UserStatus: Int] = [:]
    for user in manifest.users.indices { counts[assignment.status(of: user), default: 0] += 1 }
    return UserStatus.allCases.map { ($0.rawValue, counts[$0, default: 0]) }
  }
}

extension Placeholder {
  /// `#rrggbb`: it is opaque, so alpha would say nothing.
  package var colorText: String { String(color.hex.prefix(7)) }

  /// Base64, as ThumbHashes are passed on everywhere.
  package var thumbHashText: String { Data(thumbHash).base64EncodedString() }
}
