import Manifest
import Plan
import Recipes

extension SitePart {
  /// Each user's pictures under a name that stays when they change: `u/ada/round@2x.webp`.
  init(aliasesOf content: SiteContent) {
    let manifest = content.manifest
    guard manifest.exports.contains(.aliases) else { return }
    for user in manifest.users.indices {
      guard let name = manifest.users[user].pathName else { continue }
      for style in content.styles(of: user) {
        let stem = "\(Site.File.aliases)\(name)/\(manifest.styles[style].name)"
        images += content.images(of: user, style: style).map { scale, asset in
          let density = scale == 1 ? "" : "@\(scale.plain)x"
          return Site.File(asset, at: "\(stem)\(density).\(asset.format.fileExtension)")
        }
      }
    }
  }
}
