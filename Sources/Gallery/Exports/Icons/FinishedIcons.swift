import Plan
import Recipes

/// The icons of the site, in the store.
struct FinishedIcons: Sendable {
  let favicons: [Asset]
  let touch: Asset
  let small: Asset
  let large: Asset
  let maskable: Asset
  let ground: Color
}

extension SiteContent {
  /// Every icon, finished; nil if one is missing, or none are wanted.
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
