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
  /// Puts the finished site images together; nothing is written yet.
  package init(_ content: SiteContent, templates: Templates) throws {
    let parts = Self.parts(of: content)
    let gallery = GalleryPages(content, templates: templates)
    let map = AssetsJSON(content: content)
    var pages = [
      Page(path: Templates.styleSheetName) { try $0(templates.styleSheet) },
      Page(path: Templates.scriptName) { try $0(templates.script) },
      Page("buttons.css", ButtonsCSS.text(for: content)),
      Page("avatars.css", AvatarsCSS.text(for: content.manifest.styles)),
      Page(path: "assets.json") { try map.write($0) },
    ]
    if let sheet = templates.themeSheet {
      pages.append(Page(path: Templates.themeSheetName) { try $0(sheet) })
    }
    pages += parts.flatMap(\.pages)
    if content.manifest.exports.contains(.touch) {
      pages.append(Page(path: Templates.touchScriptName) { try $0(templates.touchScript) })
    }
    // Pages name the scripts; all that scripts and other programs load names pages.
    let finding = FindingData(gallery: gallery)
    pages += finding.scripts
    let galleryPages = gallery.pages
    pages += galleryPages.dropLast()
    pages += SitePart(addressCardsOf: content).pages
    pages += finding.data
    pages += SitePart(feedsOf: content, pages: galleryPages.map(\.path)).pages
    // `index.html` comes last: everything it leads to is there by then.
    pages += galleryPages.suffix(1)
    self.init(images: Self.images(of: content, and: parts), pages: pages)
  }

  /// What is published beside the gallery, in the order of its publishing.
  private static func parts(of content: SiteContent) -> [SitePart] {
    [
      SitePart(buttonsOf: content),
      SitePart(appleOf: content),
      SitePart(androidOf: content),
      SitePart(stripsOf: content),
      SitePart(iconsOf: content),
      SitePart(spritesOf: content),
      SitePart(cardOf: content),
    ]
  }

  /// Every image, once, by path.
  private static func images(of content: SiteContent, and parts: [SitePart]) -> [Image] {
    // By digest, which is by path for those of users, and far quicker; the others are few.
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
