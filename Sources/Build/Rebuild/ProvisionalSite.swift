import Bytes
import Foundation
import Manifest
import Plan
import Recipes

/// Pages for the time before the first picture is made: all users are there, and each picture has an
/// address; a request for it makes it.
struct ProvisionalSite: Sendable {
  private let pages: [String: Site.Page]
  /// The first user who has a slot, and the style in which it is.
  private let owners: [SlotID: (user: Int, style: Int)]
  /// Equal numbers mean other people in another manifest.
  private let manifest: Digest

  /// - Throws: What assembling pages throws.
  init(_ input: BuildInput, _ resources: StyleResources) throws {
    manifest = input.manifestDigest
    let mark = manifest.words.0
    let users = input.manifest.users
    var content = SiteContent(
      manifest: input.manifest,
      variants: StyleVariants(input.manifest.styles, resources: resources),
      assignment: SourceAssignment(users), sources: SourceSet(), rendered: RenderedSet())
    // Every source counts as a different picture that works.
    while true {
      let unknown = content.assignment.assign(from: content.sources)
      if unknown.isEmpty { break }
      for kind in unknown {
        let picture = Picture(site: mark, source: content.sources.sources.count)
        content.sources.add(
          Source(digest: picture.digest, origin: .color(.black), kind: "color"), for: kind)
      }
    }
    let plan = Plan(
      content.assignment, users: users, variants: &content.variants, sources: content.sources)
    for item in plan.items {
      let source = content.sources.sources[item.source]
      for slot in item.slots {
        let images = content.variants.images(of: slot.variant, for: source)
        let renders = images.enumerated().map { pair in
          let size = pair.element.recipe.size
          let picture = Picture(
            site: mark, source: slot.source, variant: slot.variant, image: pair.offset)
          return Render(
            Asset(
              digest: picture.digest, width: Int32(size.width), height: Int32(size.height),
              bytes: 0))
        }
        content.rendered.add(renders, for: slot)
      }
    }
    content.assignment.settle { _, _ in nil }
    var owners: [SlotID: (user: Int, style: Int)] = [:]
    for user in users.indices {
      for style in content.styles(of: user) {
        guard let slot = content.slot(of: user, style: style) else { continue }
        if owners[slot] == nil { owners[slot] = (user, style) }
      }
    }
    self.owners = owners
    let site = try input.pages.assemble(content)
    pages = Dictionary(site.pages.map { ($0.path, $0) }) { first, _ in first }
  }

  /// The bytes of a page; nil when there is no such page, or it needs pictures itself.
  func page(_ path: String) -> Data? {
    guard let page = pages[path], page.contained.isEmpty else { return nil }
    var bytes = Data()
    try? page.write { bytes += $0 }
    return bytes
  }

  /// The picture itself, which is made now if it must.
  ///
  /// Nil when it is not of this site, or there is nothing to show.
  func asset(of picture: Picture, by cache: BuildCache) -> Asset? {
    guard manifest.words.0 == picture.site,
      let (user, style) = owners[SlotID(source: picture.source, variant: picture.variant)]
    else { return nil }
    let made = cache.withRenderContext { current -> Asset? in
      guard current.input.manifestDigest == manifest,
        let content = try? BuildStages.content(
          of: [user], [style], in: current.input.manifest, context: current.context.urgent,
          resources: current.resources, fingerprint: current.fingerprint)
      else { return nil }
      return picture.asset(in: content, user: 0, style)
    }
    return made
      ?? cache.lastContent(of: manifest).flatMap { picture.asset(in: $0, user: user, style) }
  }

  /// A picture that is not made yet; its digest says which one it is, and is that of no bytes.
  struct Picture: Sendable, Hashable {
    var site: UInt64
    var source: Int
    var variant = 0
    var image = 0

    fileprivate static let mark = Digest(of: Array("sitegen: a picture that is not made yet".utf8))

    var digest: Digest {
      Digest(
        words: (
          Self.mark.words.0, Self.mark.words.1 ^ site, Self.mark.words.2 ^ UInt64(source),
          Self.mark.words.3 ^ (UInt64(variant) << 32 | UInt64(image))
        ))
    }

    fileprivate func asset(in content: SiteContent, user: Int, _ style: Int) -> Asset? {
      guard content.manifest.styles.indices.contains(style) else { return nil }
      let records = content.records(of: user, style: style)
      return records.indices.contains(image) ? records[image].asset : nil
    }
  }
}

extension ProvisionalSite.Picture {
  /// Nil for the digest of bytes.
  init?(_ digest: Digest) {
    let mark = Self.mark.words
    guard digest.words.0 == mark.0, let source = Int(exactly: digest.words.2 ^ mark.2) else {
      return nil
    }
    let numbers = digest.words.3 ^ mark.3
    self.init(
      site: digest.words.1 ^ mark.1, source: source, variant: Int(numbers >> 32),
      image: Int(numbers & 0xFFFF_FFFF))
  }
}
