import Bytes
import Manifest
import Plan
import Recipes

extension ExportedFiles {
  /// `res/`: nine-patches, selectors and colours of all buttons.
  ///
  /// A button without all of its bitmaps has no selector, so that no selector names a missing file.
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
    // Colours come first because selectors name them.
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

  /// By button: its states, then its title.
  private static func colors(
    of buttons: [ButtonStyle], _ names: [String],
    _ appearance: (ButtonStyle) -> ButtonStyle.Colors?
  ) -> String {
    var colors: [(String, Color)] = []
    for (button, name) in zip(buttons, names) {
      guard let appearance = appearance(button) else { continue }
      for (state, color) in appearance.states {
        colors.append(("\(name)_\(state.rawValue)", color))
      }
      if let title = appearance.title { colors.append(("\(name)_title", title)) }
    }
    return AndroidXML.colors(colors)
  }
}

/// The names of buttons among Android's resources: `btn_primary`, `btn_primary_normal`.
private struct AndroidNames {
  /// One for each button, in the order of the manifest.
  let all: [String]

  /// Every state, and the colour of the words.
  private static let parts = ButtonStyle.State.allCases.map(\.rawValue) + ["title"]

  /// A button `a_normal` must not take the name of a drawable of the button `a`.
  init(_ buttons: [ButtonStyle]) {
    let texts = buttons.map(\.name)
    var names = ResourceNames(texts).all
    var reserved: Set<String> = []
    while true {
      let parts = names.flatMap { name in Self.parts.map { "\(name)_\($0)" } }
      guard !reserved.isSuperset(of: parts) else { break }
      reserved.formUnion(parts)
      names = ResourceNames(texts, reserved: reserved).all
    }
    all = names.map { "btn_\($0)" }
  }
}

/// The XML files among Android's resources; no name in them needs an escape.
private enum AndroidXML {
  /// `drawable/btn_NAME.xml`: what a button looks like in each state.
  ///
  /// The first item that matches wins, so a disabled button never lights up, and any other does when
  /// it is pressed. Android calls our `selected` selected, checked and activated. The items name
  /// resources of a kind, `drawable` or `color`.
  static func selector(of button: ButtonStyle, name: String, kind: String) -> String {
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

  /// `values/colors.xml`, in which alpha comes first: `#AARRGGBB`.
  static func colors(_ colors: [(name: String, color: Color)]) -> String {
    let lines = colors.map { name, color in
      let hex = Hex.text(of: [color.alpha, color.red, color.green, color.blue], .upper)
      return "  <color name=\"\(name)\">#\(hex)</color>\n"
    }
    return "\(head)<resources>\n\(lines.joined())</resources>\n"
  }

  private static let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

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
