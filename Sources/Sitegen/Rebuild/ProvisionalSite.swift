import Foundation
import Imaging
import Store

/// Pages for the time before the first picture is made: everyone is there, and each picture has an
/// address under which it can be asked for, which is when it is made.
struct ProvisionalSite: Sendable {
  private let pages: [String: Site.Page]
  private let manifest: Manifest
  /// By the number of a source: the first user who has it.
  private let owners: [Int]
  private let looks: LookBook

  /// - Throws: What assembling pages throws.
  init(_ brief: Brief, _ materials: Materials) throws {
    manifest = brief.manifest
    var content = SiteContent(
      manifest: manifest, looks: LookBook(manifest.styles, materials: materials),
      cast: Cast(manifest.users), sources: SourceSet(), rendered: RenderedSet())
    // Until somebody looks, every source is a picture of its own that works.
    while true {
      let unknown = content.cast.assign(from: content.sources)
      if unknown.isEmpty { break }
      for kind in unknown {
        let number = content.sources.sources.count
        content.sources.add(
          Source(digest: Picture(source: number).digest, origin: .color(.black)), for: kind)
      }
    }
    let plan = Plan(
      content.cast, users: manifest.users, looks: &content.looks, sources: content.sources)
    for item in plan.items {
      let source = content.sources.sources[item.source]
      for look in item.looks {
        let renders = content.looks.variants(of: look, for: source).enumerated().map { pair in
          let size = pair.element.recipe.size
          let picture = Picture(source: item.source, look: look, variant: pair.offset)
          return Render(
            Asset(
              digest: picture.digest, width: Int32(size.width), height: Int32(size.height),
              bytes: 0))
        }
        content.rendered.add(renders, source: item.source, look: look)
      }
    }
    content.cast.settle { _, _ in nil }
    var owners = Array(repeating: 0, count: content.sources.sources.count)
    for user in manifest.users.indices.reversed() {
      if let source = content.cast.roles[user].source { owners[source] = user }
    }
    self.owners = owners
    looks = content.looks
    let site = try Site(content, templates: brief.templates)
    pages = Dictionary(site.pages.map { ($0.path, $0) }) { first, _ in first }
  }

  /// The bytes of a page; nil when there is no such page, or it needs pictures itself.
  func page(_ path: String) -> [UInt8]? {
    guard let page = pages[path], page.contained.isEmpty else { return nil }
    var bytes: [UInt8] = []
    try? page.write { bytes += $0 }
    return bytes
  }

  /// A picture that is not made yet; its address says which one it is, and no content has it.
  struct Picture: Sendable, Hashable {
    var source: Int
    var look = 0
    var variant = 0

    private static let mark = Digest(of: Array("sitegen: a picture that is not made yet".utf8))

    var digest: Digest {
      Digest(
        words: (
          Self.mark.words.0, Self.mark.words.1, Self.mark.words.2 ^ UInt64(source),
          Self.mark.words.3 ^ (UInt64(look) << 32 | UInt64(variant))
        ))
    }

    init(source: Int, look: Int = 0, variant: Int = 0) {
      self.source = source
      self.look = look
      self.variant = variant
    }

    /// Nil for the digest of bytes.
    init?(_ digest: Digest) {
      let mark = Self.mark.words
      guard digest.words.0 == mark.0, digest.words.1 == mark.1 else { return nil }
      let place = digest.words.3 ^ mark.3
      guard let source = Int(exactly: digest.words.2 ^ mark.2) else { return nil }
      self.source = source
      look = Int(place >> 32)
      variant = Int(place & 0xFFFF_FFFF)
    }

    /// The picture itself; it is made now, unless it was made meanwhile.
    ///
    /// Nil when it is none of this site, or there is nothing to show.
    func made(by resident: Resident, _ site: ProvisionalSite?) -> [UInt8]? {
      guard let site, let (user, style) = site.place(of: self) else { return nil }
      let made =
        resident.withBench { bench -> SiteContent.Record? in
          // Of another manifest, the numbers mean nothing.
          guard bench.brief.manifest.users.indices.contains(user),
            bench.brief.manifest.users[user] == site.manifest.users[user]
          else { return nil }
          let content = try? Studio.content(
            of: [user], [style], in: bench.brief.manifest, place: bench.place.urgent,
            provisions: bench.provisions, fingerprint: bench.fingerprint)
          return content.flatMap { record(in: $0, user: 0, style) }
        } ?? nil
      if let made { return resident.bytes(of: made.asset.digest) }
      guard let content = resident.lastContent,
        content.manifest.users.indices.contains(user),
        content.manifest.users[user] == site.manifest.users[user]
      else { return nil }
      return record(in: content, user: user, style)
        .flatMap { resident.bytes(of: $0.asset.digest) }
    }

    private func record(
      in content: SiteContent, user: Int, _ style: Int
    ) -> SiteContent.Record? {
      guard content.manifest.styles.indices.contains(style) else { return nil }
      let records = content.records(of: user, style: style)
      return records.indices.contains(variant) ? records[variant] : nil
    }
  }

  /// Whose picture it is, and in which style.
  private func place(of picture: Picture) -> (user: Int, style: Int)? {
    guard owners.indices.contains(picture.source) else { return nil }
    let user = owners[picture.source]
    let stand = Source(digest: Picture(source: picture.source).digest, origin: .color(.black))
    let own = manifest.users[user].styles ?? Array(manifest.styles.indices)
    return own.first {
      looks.look(of: manifest.users[user], style: $0, stand) == picture.look
    }.map { (user, $0) }
  }
}
