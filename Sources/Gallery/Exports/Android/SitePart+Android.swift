import Manifest
import Plan
import Recipes

extension SitePart {
  /// `res/`: nine-patches, selectors and colours of all buttons.
  ///
  /// A button of which a bitmap is missing has no selector either: nothing leads nowhere.
  init(androidOf content: SiteContent) {
    let buttons = content.manifest.buttons
    guard content.manifest.exports.contains(.android), !buttons.isEmpty else { return }
    let names = AndroidNames(buttons).all
    var selectors: [Site.Page] = []
    for (button, name) in zip(buttons, names) {
      let files = Self.ninePatches(of: button, name: name, in: content)
      guard files.count == button.ninePatches.count else { continue }
      images += files
      let text = AndroidXML.selector(
        of: button, name: name, kind: button.isPlain ? "color" : "drawable")
      selectors.append(Site.Page("res/drawable/\(name).xml", text))
    }
    // Colours first: selectors name them.
    let light = Self.colors(of: buttons, names) { $0.light }
    pages = [Site.Page("res/values/colors.xml", light)]
    if buttons.contains(where: { $0.dark != nil }) {
      let dark = Self.colors(of: buttons, names) { $0.dark }
      pages.append(Site.Page("res/values-night/colors.xml", dark))
    }
    pages += selectors
  }

  private static func ninePatches(
    of button: ButtonStyle, name: String, in content: SiteContent
  ) -> [Site.Image] {
    button.ninePatches.compactMap { patch in
      content.rendered.asset(of: patch.siteImage).map { asset in
        let night = patch.appearance == "dark" ? "-night" : ""
        return Site.Image(
          asset,
          at: "res/drawable\(night)-\(patch.density.rawValue)/\(name)_\(patch.state).9.png")
      }
    }
  }

  /// By button: its states, then its title.
  private static func colors(
    of buttons: [ButtonStyle], _ names: [String],
    _ appearance: (ButtonStyle) -> ButtonStyle.Appearance?
  ) -> String {
    var colors: [(String, Color)] = []
    for (button, name) in zip(buttons, names) {
      guard let appearance = appearance(button) else { continue }
      for state in appearance.states { colors.append(("\(name)_\(state.name)", state.color)) }
      if let title = appearance.title { colors.append(("\(name)_title", title)) }
    }
    return AndroidXML.colors(colors)
  }
}
