package import Manifest
package import Recipes

/// Everything that the pages are made of, complete and unchanging.
package struct SiteContent: Sendable {
  package var manifest: Manifest
  package var looks: StyleVariants
  package var assignment: SourceAssignment
  package var sources: SourceSet
  package var rendered: RenderedSet
  /// What the title is written in on the card of the team, by digest; none where it is left out.
  package var cardFonts: [String] = []

  package init(
    manifest: Manifest, looks: StyleVariants, assignment: SourceAssignment, sources: SourceSet,
    rendered: RenderedSet = RenderedSet()
  ) {
    self.manifest = manifest
    self.looks = looks
    self.assignment = assignment
    self.sources = sources
    self.rendered = rendered
  }

  /// One image of a user, with all that is known of it.
  package struct Record {
    package var variant: StylePlan.Variant
    package var asset: Asset
    /// Room around the box, in points.
    package var inset: Margins
    /// What a limit of bytes led to; nil without a limit.
    package var quality: Int?

    package var path: String { asset.path(as: variant.format.fileExtension) }
  }

  /// The styles of a user that drew something, as indices, in the manifest's order.
  package func styles(of user: Int) -> [Int] {
    let own = manifest.users[user].styles ?? Array(manifest.styles.indices)
    return own.filter { !looks.plans[$0].picture.isEmpty }
  }

  /// The number of the look that a user has in a style, by which `rendered` knows its images; nil
  /// without a source, and while nobody has planned for it.
  package func look(of user: Int, style: Int) -> Int? {
    guard let source = assignment.assignments[user].source else { return nil }
    return looks.look(of: manifest.users[user], style: style, sources.sources[source])
  }

  /// A user's images of one style; empty when the user has none.
  package func records(of user: Int, style: Int) -> [Record] {
    guard let source = assignment.assignments[user].source, let look = look(of: user, style: style),
      let assets = rendered.assets(source: source, look: look)
    else { return [] }
    let variants = looks.variants(of: look, for: sources.sources[source])
    let inset = looks.plan(of: look).inset
    return zip(variants, assets).enumerated().map { number, pair in
      Record(
        variant: pair.0, asset: pair.1, inset: inset,
        quality: rendered.quality(source: source, look: look, variant: number))
    }
  }
}
