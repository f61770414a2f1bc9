import Imaging

extension SiteContent {
  /// Every icon, finished; nil if one is missing, or none are wanted.
  var icons: FinishedIcons? {
    guard let icons = SiteIcons(self) else { return nil }
    let favicons = icons.favicons.compactMap { pieces.asset(of: $0) }
    guard favicons.count == icons.favicons.count, let touch = pieces.asset(of: icons.touch),
      let small = pieces.asset(of: icons.small), let large = pieces.asset(of: icons.large),
      let maskable = pieces.asset(of: icons.maskable)
    else { return nil }
    return FinishedIcons(
      favicons: favicons, touch: touch, small: small, large: large, maskable: maskable,
      ground: icons.ground)
  }
}

/// The icons of the site, in the store.
struct FinishedIcons: Sendable {
  let favicons: [Asset]
  let touch: Asset
  let small: Asset
  let large: Asset
  let maskable: Asset
  let ground: Color
}

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
    let head = IconFile.head(of: icons.favicons)
    var favicon = Site.Page(path: "favicon.ico") { try $0(head) }
    favicon.contained = icons.favicons.map(\.digest)
    let text = WebManifest.bytes(for: content.manifest.site, ground: icons.ground)
    pages = [favicon, Site.Page(path: "site.webmanifest") { try $0(text) }]
  }
}

/// `site.webmanifest`: what a browser shows of a site that is put on a home screen.
enum WebManifest {
  static func bytes(for site: SiteDescription, ground: Color) -> [UInt8] {
    var json = JSONBytes()
    json.object { json in
      json.line(indent: 2)
      json.key("background_color")
      json.string(String(ground.hex.prefix(7)))
      if let description = site.description {
        json.line(indent: 2)
        json.key("description")
        json.string(description)
      }
      json.line(indent: 2)
      json.key("display")
      json.string("browser")
      json.line(indent: 2)
      json.key("icons")
      json.array { json in
        write("icons/icon-192.png", SiteIcons.smallSide, for: "any", to: &json)
        write("icons/icon-512.png", SiteIcons.largeSide, for: "any", to: &json)
        write("icons/maskable-512.png", SiteIcons.largeSide, for: "maskable", to: &json)
      }
      json.line(indent: 2)
      json.key("lang")
      json.string(site.language)
      json.line(indent: 2)
      json.key("name")
      json.string(site.title)
      json.line(indent: 2)
      json.key("start_url")
      json.string("./")
    }
    json.endLine()
    return json.bytes
  }

  private static func write(
    _ path: String, _ side: Int, for purpose: String, to json: inout JSONBytes
  ) {
    json.line(indent: 4)
    json.object { json in
      json.key("purpose")
      json.string(purpose)
      json.key("sizes")
      json.string("\(side)x\(side)")
      json.key("src")
      json.string(path)
      json.key("type")
      json.string(OutputFormat.png.mimeType)
    }
  }
}
