import Bytes
import Manifest
import Plan
import Recipes

extension ExportedFiles {
  init(iconsOf content: SiteContent) {
    guard let (icons, ground) = content.icons else {
      if content.manifest.pages.areMade {
        pages = [
          Site.Page(GalleryPaths.initialsIcon, Self.initials(of: content.manifest.site.title))
        ]
      }
      return
    }
    let names = [
      "apple-touch-icon.png", "icons/icon-192.png", "icons/icon-512.png", "icons/maskable-512.png",
    ]
    images = zip(icons.suffix(names.count), names).map { Site.File($0, at: $1) }
    let favicons = icons.dropLast(names.count)
    let head = Self.iconFileHead(favicons)
    var favicon = Site.Page(path: "favicon.ico") { try $0(head) }
    favicon.contained = favicons.map(\.digest)
    let site = content.manifest.site
    let manifest = Site.Page(path: "site.webmanifest") {
      try Self.writeWebManifest(of: site, ground: ground, to: $0)
    }
    pages = [favicon, manifest]
  }

  /// Returns white initials on the colour that `gallery.css` uses for links.
  private static func initials(of title: String) -> String {
    let letters = Initialism.letters(of: title) ?? ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" \
      fill="#4340c4"/><text x="32" y="32" dy=".36em" font-size="\(letters.count > 1 ? 30 : 38)" \
      font-family="system-ui, sans-serif" font-weight="600" fill="#fff" \
      text-anchor="middle">\(Markup.escaped(letters))</text></svg>

      """
  }

  private static func iconFileHead(_ images: ArraySlice<Asset>) -> [UInt8] {
    var head = ByteWriter()
    // The header contains a reserved word, type 1 (icons), and the number of images.
    for word in [0, 1, UInt16(clamping: images.count)] { head.write(word) }
    var offset = 6 + 16 * Int64(images.count)
    for image in images {
      // A width or height of 256 is written as 0.
      head.write(UInt8(truncatingIfNeeded: image.width))
      head.write(UInt8(truncatingIfNeeded: image.height))
      // The palette size and a reserved byte (both 0), colour planes, and bits per pixel.
      for word: UInt16 in [0, 1, 32] { head.write(word) }
      head.write(UInt32(truncatingIfNeeded: image.bytes))
      head.write(UInt32(truncatingIfNeeded: offset))
      offset += image.bytes
    }
    return head.bytes
  }

  private static func writeWebManifest(
    of site: SiteDescription, ground: Color, to emit: Emit
  ) throws {
    try JSONWriter.writeFile(to: emit) { json in
      json.pair("background_color", String(ground.hex.prefix(7)), indent: 2)
      json.pair("description", site.description, indent: 2)
      json.pair("display", "browser", indent: 2)
      json.array("icons", indent: 2) { json in
        for (name, side, purpose) in [
          ("icon-192", SiteIcons.smallSide, "any"), ("icon-512", SiteIcons.largeSide, "any"),
          ("maskable-512", SiteIcons.largeSide, "maskable"),
        ] {
          json.line(indent: 4)
          json.object { json in
            json.pair("purpose", purpose)
            json.pair("sizes", "\(side)x\(side)")
            json.pair("src", "icons/\(name).png")
            json.pair("type", OutputFormat.png.mimeType)
          }
        }
      }
      json.pair("lang", site.language, indent: 2)
      json.pair("name", site.title, indent: 2)
      json.pair("start_url", "./", indent: 2)
    }
  }
}

extension SiteContent {
  /// All icons in the order of `SiteIcons.siteImages`; nil if icons are disabled or one is missing.
  var icons: (assets: [Asset], ground: Color)? {
    guard let icons = SiteIcons(self) else { return nil }
    let assets = icons.siteImages.compactMap { asset(of: $0) }
    return assets.count == icons.siteImages.count ? (assets, icons.ground) : nil
  }
}
