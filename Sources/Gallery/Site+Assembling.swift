import Bytes
package import Diagnostics
package import Files
package import Manifest
package import Plan
import Recipes

package struct GalleryMaker: PageMaker {
  package init() {}

  package func prepare(
    _ folder: TemplatesFolder, _ manifest: Manifest, _ inputs: inout Inputs,
    _ diagnostics: inout Diagnostics
  ) throws -> PreparedPages {
    let templates = try Templates(folder, manifest, inputs: &inputs)
    for warning in templates.warnings { diagnostics.add(warning) }
    return { try Site($0, templates: templates) }
  }

  package func links(_ path: String) -> (@Sendable ([UInt8]) -> FileLinks)? {
    FileLinks.reader(of: path)
  }
}

extension Site {
  fileprivate init(_ content: SiteContent, templates: Templates) throws {
    let manifest = content.manifest
    let exports = [
      ExportedFiles(buttonsOf: content), ExportedFiles(avatarsOf: manifest.styles),
      ExportedFiles(appleOf: content), ExportedFiles(androidOf: content),
      ExportedFiles(stripsOf: content), ExportedFiles(iconsOf: content),
      ExportedFiles(spritesOf: content), ExportedFiles(cardOf: content),
      ExportedFiles(posterOf: content), ExportedFiles(aliasesOf: content),
      ExportedFiles(headersOf: content),
    ]
    let people = People(content)
    let map = AssetsJSON(people)
    // The pages are in publishing order: each one comes before the files that refer to it.
    var pages = exports.flatMap(\.pages)
    if let ids = MadeIDs.text(of: manifest.users) { pages.append(Page(MadeIDs.fileName, ids)) }
    pages.append(Page(path: "assets.json") { try map.write($0) })
    if manifest.exports.contains(.touch) { pages.append(templates.page(Templates.touchScriptName)) }
    if manifest.pages.areMade { pages += Self.gallery(of: people, templates) }
    self.init(images: Self.images(of: content, and: exports), pages: pages)
  }

  /// Returns the gallery's pages; `index.html` comes after all pages that it links to.
  private static func gallery(of people: People, _ templates: Templates) -> [Page] {
    let manifest = people.content.manifest
    let gallery = GalleryPages(people, templates: templates)
    let files = gallery.files
    var pages = [templates.page(Templates.styleSheetName), templates.page(Templates.scriptName)]
    if let logo = templates.logo { pages.append(templates.page(logo)) }
    if templates.hasTheme { pages.append(templates.page(Templates.themeSheetName)) }
    let scriptData = ScriptData(gallery: gallery)
    pages += scriptData.scripts
    if manifest.pages.cards {
      pages += manifest.users.indices.map { user in
        Page(path: GalleryPaths.card(manifest.users[user].id)) {
          try $0(PersonCard(of: people[user]).bytes)
        }
      }
    }
    pages += files.dropLast()
    pages += scriptData.data
    // `index.html` is published last, but comes first in the sitemap.
    let html = files.map(\.path).reversed().filter { $0.hasSuffix(".html") }
    if let sitemap = Sitemap(manifest.site, pages: html) { pages += sitemap.files }
    return pages + files.suffix(1)
  }

  private static func images(of content: SiteContent, and exports: [ExportedFiles]) -> [File] {
    // Sort the users' images by digest, which is much faster than sorting by path.
    var images = shown(of: content).sorted { $0.digest < $1.digest }
    images += exports.flatMap(\.images)
    if !zip(images, images.dropFirst()).allSatisfy({ $0.path < $1.path }) {
      images.sort { $0.path < $1.path }
    }
    var last: File?
    images.removeAll { image in
      defer { last = image }
      return image == last
    }
    return images
  }

  private static func shown(of content: SiteContent) -> [File] {
    var images: [File] = []
    var digests: Set<Digest> = []
    var shown: Set<SlotID> = []
    for user in content.manifest.users.indices {
      for style in content.styles(of: user) {
        guard let slot = content.slot(of: user, style: style), shown.insert(slot).inserted
        else { continue }
        for (_, asset) in content.images(of: user, style: style)
        where digests.insert(asset.digest).inserted {
          images.append(File(asset))
        }
      }
    }
    return images
  }
}
