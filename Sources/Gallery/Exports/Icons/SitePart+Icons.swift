import Manifest
import Plan

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
