import Foundation
import Manifest
import Plan
import Recipes
import Store

/// Pages for the time before the first picture is made: everyone is there, and each picture has an
/// address under which it can be asked for, which is when it is made.
struct ProvisionalSite: Sendable {
  private let pages: [String: Site.Page]
  private let manifest: Manifest
  /// The first user who has a slot, and the style in which it is.
  private let owners: [SlotID: (user: Int, style: Int)]
  /// Of the manifest: another one's numbers mean other people.
  private let mark: UInt64

  /// - Throws: What assembling pages throws.
  init(_ input: BuildInput, _ resources: StyleResources) throws {
    manifest = input.manifest
    var hasher = Hasher()
    hasher.combine(manifest)
    let mark = UInt64(bitPattern: Int64(hasher.finalize()))
    self.mark = mark
    var content = SiteContent(
      manifest: manifest, variants: StyleVariants(manifest.styles, resources: resources),
      assignment: SourceAssignment(manifest.users), sources: SourceSet(), rendered: RenderedSet())
    // Until somebody looks, every source is a picture of its own that works.
    while true {
      let unknown = content.assignment.assign(from: content.sources)
      if unknown.isEmpty { break }
      for kind in unknown {
        let number = content.sources.sources.count
        content.sources.add(
          Source(
            digest: Picture(site: mark, source: number).digest, origin: .color(.black),
            kind: "color"),
          for: kind)
      }
    }
    let plan = Plan(
      content.assignment, users: manifest.users, variants: &content.variants,
      sources: content.sources)
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
    for user in manifest.users.indices {
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

  /// A picture that is not made yet; its address says which one it is, and no content has it.
  struct Picture: Sendable, Hashable {
    var site: UInt64
    var source: Int
    var variant = 0
    var image = 0

    private static let mark = Digest(of: Array("sitegen: a picture that is not made yet".utf8))

    var digest: Digest {
      Digest(
        words: (
          Self.mark.words.0, Self.mark.words.1 ^ site, Self.mark.words.2 ^ UInt64(source),
          Self.mark.words.3 ^ (UInt64(variant) << 32 | UInt64(image))
        ))
    }

    init(site: UInt64, source: Int, variant: Int = 0, image: Int = 0) {
      self.site = site
      self.source = source
      self.variant = variant
      self.image = image
    }

    /// Nil for the digest of bytes.
    init?(_ digest: Digest) {
      let mark = Self.mark.words
      guard digest.words.0 == mark.0 else { return nil }
      let context = digest.words.3 ^ mark.3
      guard let source = Int(exactly: digest.words.2 ^ mark.2) else { return nil }
      site = digest.words.1 ^ mark.1
      self.source = source
      variant = Int(context >> 32)
      image = Int(context & 0xFFFF_FFFF)
    }

    /// How often it is looked whether the next build has begun: for 15 seconds, every 10 ms.
    private static let looks = 1500

    /// The picture itself; it is made now, unless it was made meanwhile.
    ///
    /// Nil when it is none of this site, or there is nothing to show.
    func made(by buildCache: BuildCache, _ provisional: ProvisionalSite?) -> Data? {
      guard let provisional, provisional.mark == site,
        let (user, style) = provisional.owners[SlotID(source: source, variant: variant)]
      else { return nil }
      for _ in 0..<Self.looks {
        let attempt = buildCache.withRenderContext { renderContext -> SiteContent.Record? in
          guard renderContext.input.manifest == provisional.manifest,
            let content = try? BuildStages.content(
              of: [user], [style], in: renderContext.input.manifest,
              context: renderContext.context.urgent,
              resources: renderContext.resources, fingerprint: renderContext.fingerprint)
          else { return nil }
          return record(in: content, user: 0, style)
        }
        if let made = attempt ?? nil { return buildCache.bytes(of: made.asset.digest) }
        // The build gave way: the next one has a renderContext of its own soon.
        guard buildCache.isBetween else { break }
        Thread.sleep(forTimeInterval: 0.01)
      }
      guard let content = buildCache.lastContent, content.manifest == provisional.manifest else {
        return nil
      }
      return record(in: content, user: user, style)
        .flatMap { buildCache.bytes(of: $0.asset.digest) }
    }

    private func record(
      in content: SiteContent, user: Int, _ style: Int
    ) -> SiteContent.Record? {
      guard content.manifest.styles.indices.contains(style) else { return nil }
      let records = content.records(of: user, style: style)
      return records.indices.contains(image) ? records[image] : nil
    }
  }
}
