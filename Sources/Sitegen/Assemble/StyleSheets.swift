import Imaging

/// `buttons.css`: each button's colours as CSS, no bitmap at all.
enum ButtonsCSS {
  static func text(for buttons: [ButtonStyle]) -> String {
    var css = ""
    for button in buttons {
      let name = CSSName.escape(button.name)
      css += rule(".btn-\(name)", base(of: button) + properties(button.light))
      for (state, selectors) in states(of: button.light) {
        let all = selectors.map { ".btn-\(name)\($0)" }.joined(separator: ",\n")
        css += rule(all, ["background-color: var(--btn-\(state))"])
      }
      if let dark = button.dark {
        css += "@media (prefers-color-scheme: dark) {\n"
        css += rule(".btn-\(name)", properties(dark), indent: "  ")
        css += "}\n\n"
      }
    }
    return css
  }

  private static func base(of button: ButtonStyle) -> [String] {
    var lines = ["background-color: var(--btn-normal)"]
    if let title = button.light.title { lines.append("color: \(title.css)") }
    if button.radius > 0 { lines.append("border-radius: \(points(button.radius))") }
    if let border = button.border {
      lines.append("border: \(points(border.width)) solid \(border.color.css)")
    } else {
      lines.append("border: 0")
    }
    return lines
  }

  private static func properties(_ appearance: ButtonStyle.Appearance) -> [String] {
    appearance.states.map { "--btn-\($0.name): \($0.color.css)" }
  }

  /// The rules besides `normal`; later ones win, so a disabled button never lights up.
  private static func states(
    of appearance: ButtonStyle.Appearance
  ) -> [(name: String, selectors: [String])] {
    var states: [(String, [String])] = []
    if appearance.focused != nil { states.append(("focused", [":focus-visible", ".is-focused"])) }
    if appearance.selected != nil {
      states.append(
        ("selected", ["[aria-pressed=\"true\"]", "[aria-selected=\"true\"]", ".is-selected"]))
    }
    states.append(("highlighted", [":hover", ":active", ".is-highlighted"]))
    if appearance.disabled != nil { states.append(("disabled", [":disabled", ".is-disabled"])) }
    return states
  }
}

/// `avatars.css`: the size of each style, so that a page can lay out before a picture comes.
///
/// Where an image has room around the box, a negative margin keeps the box in its place.
enum AvatarsCSS {
  static func text(for styles: [AvatarStyle]) -> String {
    var css = ""
    for style in styles {
      let layout = StyleLayout(style)
      var lines = ["width: \(points(layout.size.width))", "height: \(points(layout.size.height))"]
      if layout.inset != .none {
        let inset = layout.inset
        let margins = [inset.top, inset.right, inset.bottom, inset.left]
        lines.append("margin: " + margins.map { points(Double(0 - $0)) }.joined(separator: " "))
      }
      css += rule(".avatar-\(CSSName.escape(style.name))", lines)
    }
    return css
  }
}

/// Class names for any text: each byte outside `[a-z0-9-]` becomes `_` and two hex digits.
enum CSSName {
  static func escape(_ name: String) -> String {
    let digits = Array("0123456789abcdef")
    var escaped = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        escaped.append("_")
        escaped.append(digits[Int(byte >> 4)])
        escaped.append(digits[Int(byte & 15)])
      }
    }
    return escaped
  }
}

private func rule(_ selector: String, _ lines: [String], indent: String = "") -> String {
  let body = lines.map { "\(indent)  \($0);\n" }.joined()
  return "\(indent)\(selector) {\n\(body)\(indent)}\n" + (indent.isEmpty ? "\n" : "")
}

private func points(_ value: Double) -> String {
  "\(JSONBytes.text(of: value))px"
}
