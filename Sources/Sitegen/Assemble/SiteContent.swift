import Imaging

/// Everything that the pages are made of, complete and unchanging.
package struct SiteContent: Sendable {
  package var manifest: Manifest
  package var styles: [StylePlan]
  package var cast: Cast
  package var sources: SourceSet
  package var rendered: RenderedSet

  package init(
    manifest: Manifest, styles: [StylePlan], cast: Cast, sources: SourceSet,
    rendered: RenderedSet
  ) {
    self.manifest = manifest
    self.styles = styles
    self.cast = cast
    self.sources = sources
    self.rendered = rendered
  }

  /// One image of a user, with all that is known of it.
  struct Record {
    var variant: StylePlan.Variant
    var asset: Asset
    /// What a limit of bytes led to; nil without a limit.
    var quality: Int?

    var path: String { asset.path(as: variant.format.fileExtension) }
  }

  /// The styles of a user that drew something, as indices, in the manifest's order.
  func styles(of user: Int) -> [Int] {
    let own = manifest.users[user].styles ?? Array(manifest.styles.indices)
    return own.filter { !styles[$0].picture.isEmpty }
  }

  /// A user's images of one style; empty when the user has none.
  func records(of user: Int, style: Int) -> [Record] {
    guard let source = cast.roles[user].source,
      let assets = rendered.assets(source: source, style: style)
    else { return [] }
    let isColor = sources.sources[source].inspection == nil
    let variants = isColor ? styles[style].color : styles[style].picture
    return zip(variants, assets).enumerated().map { number, pair in
      Record(
        variant: pair.0, asset: pair.1,
        quality: rendered.quality(source: source, style: style, variant: number))
    }
  }
}
