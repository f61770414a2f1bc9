import Manifest
package import Plan
import Recipes
import Store

extension PageMaker {
  /// The pages, style sheets, feeds and exports that sitegen makes.
  package static let gallery = PageMaker { folder, pages, inputs in
    let templates = try Templates(named: folder, theme: pages.theme, inputs: &inputs)
    return Prepared(warnings: templates.warnings) { try Site($0, templates: templates) }
  }
}

extension Site {
  /// Puts the finished pictures together; nothing is written yet.
  package init(_ content: SiteContent, templates: Templates) throws {
    let manifest = content.manifest
    let parts = [
      SitePart(buttonsOf: content), SitePart(appleOf: content), SitePart(androidOf: content),
      SitePart(stripsOf: content), SitePart(iconsOf: content), SitePart(spritesOf: content),
      SitePart(cardOf: content),
    ]
    let people = People(content)
    let gallery = GalleryPages(people, templates: templates)
    let map = AssetsJSON(people)
    // The order of publishing: whatever names a file comes after it.
    var pages = [
      Page(path: Templates.styleSheetName) { try $0(templates.styleSheet) },
      Page(path: Templates.scriptName) { try $0(templates.script) },
      Page("buttons.css", ButtonsCSS.text(for: content)),
      Page("avatars.css", AvatarsCSS.text(for: manifest.styles)),
      Page(path: "assets.json") { try map.write($0) },
    ]
    if let sheet = templates.themeSheet {
      pages.append(Page(path: Templates.themeSheetName) { try $0(sheet) })
    }
    pages += parts.flatMap(\.pages)
    if manifest.exports.contains(.touch) {
      pages.append(Page(path: Templates.touchScriptName) { try $0(templates.touchScript) })
    }
    let scriptData = ScriptData(gallery: gallery)
    pages += scriptData.scripts
    let files = gallery.files
    pages += files.dropLast()
    if manifest.pages.cards {
      pages += manifest.users.indices.map { user in
        Page(path: GalleryPaths.card(manifest.users[user].id)) {
          try $0(PersonCard(of: people[user]).bytes)
        }
      }
    }
    pages += scriptData.data
    if manifest.pages.feed {
      let feed = FeedJSON(people: people)
      pages.append(Page(path: GalleryPaths.feed) { try feed.write($0) })
    }
    // The first page is the last file.
    let html = files.map(\.path).reversed().filter { $0.hasSuffix(".html") }
    if let sitemap = Sitemap(manifest.site, pages: html) { pages += sitemap.files }
    // `index.html` comes last: everything it leads to is there by then.
    pages += files.suffix(1)
    self.init(images: Self.images(of: content, and: parts), pages: pages)
  }

  /// Every image, once, by path.
  private static func images(of content: SiteContent, and parts: [SitePart]) -> [Image] {
    // Images of users are sorted by digest, which is by path and far quicker; the others are few.
    var images = shown(of: content).sorted { $0.digest < $1.digest }
    images += parts.flatMap(\.images)
    if !zip(images, images.dropFirst()).allSatisfy({ $0.path < $1.path }) {
      images.sort { $0.path < $1.path }
    }
    var last: Image?
    images.removeAll { image in
      defer { last = image }
      return image == last
    }
    return images
  }

  /// Every image that some user shows; what was made for a source that failed is left out.
  private static func shown(of content: SiteContent) -> [Image] {
    var images: [Image] = []
    var digests: Set<Digest> = []
    var shown: Set<SlotID> = []
    for user in content.manifest.users.indices {
      for style in content.styles(of: user) {
        guard let slot = content.slot(of: user, style: style), shown.insert(slot).inserted
        else { continue }
        for record in content.records(of: user, style: style)
        where digests.insert(record.asset.digest).inserted {
          images.append(Image(record.asset, record.image.format))
        }
      }
    }
    return images
  }
}
