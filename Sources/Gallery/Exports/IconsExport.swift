import Bytes
import Manifest
import Plan
import Recipes

extension SitePart {
  /// All icons, and the manifest that tells browsers of them; nothing if one is missing.
  init(iconsOf content: SiteContent) {
    guard let icons = content.icons else { return }
    images = [
      Site.Image(icons.touch, at: "apple-touch-icon.png"),
      Site.Image(icons.small, at: "icons/icon-192.png"),
      Site.Image(icons.large, at: "icons/icon-512.png"),
      Site.Image(icons.maskable, at: "icons/maskable-512.png"),
    ]
    let head = Self.iconFileHead(icons.favicons)
    var favicon = Site.Page(path: "favicon.ico") { try $0(head) }
    favicon.contained = icons.favicons.map(\.digest)
    let site = content.manifest.site
    let manifest = Site.Page(path: "site.webmanifest") {
      try Self.writeWebManifest(of: site, ground: icons.ground, to: $0)
    }
    pages = [favicon, manifest]
  }

  /// The head of `favicon.ico`: a list of the PNG files that stand behind it in this order.
  private static func iconFileHead(_ images: [Asset]) -> [UInt8] {
    var head = ByteWriter()
    // Reserved; the type, 1 for icons; how many there are.
    for word in [0, 1, UInt16(clamping: images.count)] { head.write(word) }
    var offset = 6 + 16 * Int64(images.count)
    for image in images {
      // 256 is written as 0.
      head.write(UInt8(truncatingIfNeeded: image.width))
      head.write(UInt8(truncatingIfNeeded: image.height))
      // No palette, reserved; planes; bits of a pixel.
      for word: UInt16 in [0, 1, 32] { head.write(word) }
      head.write(UInt32(truncatingIfNeeded: image.bytes))
      head.write(UInt32(truncatingIfNeeded: offset))
      offset += image.bytes
    }
    return head.bytes
  }

  /// `site.webmanifest`: what a browser shows of a site that is put on a home screen.
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

/// The icons of the site, finished.
struct FinishedIcons: Sendable {
  let favicons: [Asset]
  let touch: Asset
  let small: Asset
  let large: Asset
  let maskable: Asset
  let ground: Color
}

extension SiteContent {
  /// Every icon; nil if one is missing, or none are wanted.
  var icons: FinishedIcons? {
    guard let icons = SiteIcons(self) else { return nil }
    let favicons = icons.favicons.compactMap { rendered.asset(of: $0) }
    guard favicons.count == icons.favicons.count, let touch = rendered.asset(of: icons.touch),
      let small = rendered.asset(of: icons.small), let large = rendered.asset(of: icons.large),
      let maskable = rendered.asset(of: icons.maskable)
    else { return nil }
    return FinishedIcons(
      favicons: favicons, touch: touch, small: small, large: large, maskable: maskable,
      ground: icons.ground)
  }
}
