import Bytes
import Manifest
import Plan
import Recipes

extension ExportedFiles {
  /// Creates the `res` folder, but omits selectors that would refer to a missing bitmap.
  init(androidOf content: SiteContent) {
    let buttons = content.manifest.buttons
    guard content.manifest.exports.contains(.android), !buttons.isEmpty else { return }
    let names = Self.resourceNames(of: buttons)
    var selectors: [Site.Page] = []
    for (button, name) in zip(buttons, names) {
      let files = Self.ninePatches(of: button, name: name, in: content)
      guard files.count == button.ninePatches.count else { continue }
      images += files
      let text = Self.selector(of: button, name: name, kind: button.isPlain ? "color" : "drawable")
      selectors.append(Site.Page("res/drawable/\(name).xml", text))
    }
    // Colours are published before the selectors that refer to them.
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
  ) -> [Site.File] {
    button.ninePatches.compactMap { density, patch in
      content.asset(of: patch.siteImage).map { asset in
        let night = patch.appearance == .dark ? "-night" : ""
        return Site.File(
          asset,
          at: "res/drawable\(night)-\(density)/\(name)_\(patch.state.rawValue).9.png"
        )
      }
    }
  }

  private static func colors(
    of buttons: [ButtonStyle], _ names: [String],
    _ appearance: (ButtonStyle) -> ButtonStyle.Colors?
  ) -> String {
    var colors: [(name: String, color: Color)] = []
    for (button, name) in zip(buttons, names) {
      guard let appearance = appearance(button) else { continue }
      for (state, color) in appearance.states {
        colors.append(("\(name)_\(state.rawValue)", color))
      }
      if let title = appearance.title { colors.append(("\(name)_title", title)) }
    }
    let lines = colors.map { name, color in
      // Android writes alpha first: `#AARRGGBB`.
      let hex = Hex.text(of: [color.alpha, color.red, color.green, color.blue], .upper)
      return "  <color name=\"\(name)\">#\(hex)</color>\n"
    }
    return "\(head)<resources>\n\(lines.joined())</resources>\n"
  }

  /// Returns distinct names: a button `a_normal` must not collide with the normal state of `a`.
  private static func resourceNames(of buttons: [ButtonStyle]) -> [String] {
    let endings = ButtonStyle.State.allCases.map(\.rawValue) + ["title"]
    let texts = buttons.map(\.name)
    var names = ResourceNames(texts).all
    var reserved: Set<String> = []
    while true {
      let parts = names.flatMap { name in endings.map { "\(name)_\($0)" } }
      guard !reserved.isSuperset(of: parts) else { break }
      reserved.formUnion(parts)
      names = ResourceNames(texts, reserved: reserved).all
    }
    return names.map { "btn_\($0)" }
  }

  // The XML is not escaped, because it contains only resource names and colours.
  private static let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

  /// Returns `drawable/btn_NAME.xml`, which lists a button's drawable or colour for each state.
  ///
  /// Android uses the first matching item, so `disabled` comes before `highlighted`. The `selected`
  /// state covers Android's `selected`, `checked` and `activated`. `kind` is `drawable` or `color`.
  private static func selector(of button: ButtonStyle, name: String, kind: String) -> String {
    var items = ""
    let there = Set(button.light.states.map(\.state))
    for (state, condition) in conditions where there.contains(state) {
      let test = condition.map { " android:\($0.key)=\"\($0.value)\"" } ?? ""
      items += "  <item\(test) android:drawable=\"@\(kind)/\(name)_\(state.rawValue)\"/>\n"
    }
    return """
      \(head)<selector xmlns:android="http://schemas.android.com/apk/res/android">
      \(items)</selector>

      """
  }

  private static let conditions:
    [(state: ButtonStyle.State, condition: (key: String, value: Bool)?)] = [
      (.disabled, ("state_enabled", false)),
      (.highlighted, ("state_pressed", true)),
      (.selected, ("state_selected", true)),
      (.selected, ("state_checked", true)),
      (.selected, ("state_activated", true)),
      (.focused, ("state_focused", true)),
      (.normal, nil),
    ]
}
