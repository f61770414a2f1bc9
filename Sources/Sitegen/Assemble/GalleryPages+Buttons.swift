import Imaging
import Mustache

extension GalleryPages {
  /// A button with all its states, in the light and in the dark.
  func button(_ button: ButtonStyle) -> Value {
    let name = "btn-" + CSSName.escape(button.name)
    let hasColors = button.emit.contains(.css)
    let hasPictures = ButtonPictures(of: button, in: content) != nil
    // Where colours are not wanted the class itself is the picture.
    let pictureClass = hasPictures && hasColors ? " as-image" : nil
    return [
      "name": .text(button.name),
      "anchor": .text(Self.anchor("button", of: button.name)),
      "class": .text(name),
      "imageClass": Value(pictureClass.map { name + $0 }),
      "appearances": .list(
        ["light", "dark"].map { title in
          let className = "\(name) is-\(title)"
          return [
            "name": .text(title),
            "isDark": .bool(title == "dark"),
            "isInherited": .bool(title == "dark" && button.dark == nil),
            "class": .text(className),
            "imageClass": Value(pictureClass.map { className + $0 }),
            "ink": Value(
              states(of: button, in: title).first.flatMap {
                ink(of: button, on: $0.color, in: title)
              }),
            "states": .list(
              states(of: button, in: title).map { name, color, appearance in
                [
                  "name": .text(name),
                  "class": .text("\(className) is-\(name)"),
                  "stateClass": name == "normal" ? .absent : .text("is-\(name)"),
                  "color": .text(color.css),
                  "ink": Value(ink(of: button, on: color, in: title)),
                  "contrast": Value(contrast(of: button, on: color, in: title)),
                  "isDisabled": .bool(name == "disabled"),
                  "isSelected": .bool(name == "selected"),
                  "images": .list(images(of: button, state: name, in: appearance)),
                ]
              }),
          ]
        }),
    ]
  }

  /// Every state of a button as it is in an appearance; what has no dark colour keeps the light.
  private func states(
    of button: ButtonStyle, in appearance: String
  ) -> [(name: String, color: Color, appearance: String)] {
    let dark = appearance == "dark" ? button.dark?.states ?? [] : []
    return button.light.states.map { state in
      let own = dark.first { $0.name == state.name }
      return (state.name, own?.color ?? state.color, own == nil ? "light" : "dark")
    }
  }

  /// Of the title, as in `assets.json`; nil without one.
  private func contrast(of button: ButtonStyle, on color: Color, in title: String) -> String? {
    let appearance = (title == "dark" ? button.dark : nil) ?? button.light
    return appearance.contrast(on: color, page: ButtonStyle.page(of: title))
      .map { JSONBytes.text(of: $0.toldContrast) }
  }

  /// The class of words that can be read on a colour; nil where the button has its own.
  private func ink(of button: ButtonStyle, on color: Color, in title: String) -> String? {
    guard ((title == "dark" ? button.dark : nil) ?? button.light).title == nil else { return nil }
    return color.over(ButtonStyle.page(of: title)).ink == .white ? "on-dark" : "on-light"
  }

  private func images(
    of button: ButtonStyle, state: String, in appearance: String
  ) -> [Value] {
    guard button.emit.contains(.png) else { return [] }
    return content.bitmaps(of: button, state: state, in: appearance, at: ButtonStyle.webScales)
      .map { bitmap, asset in
        [
          "scale": .text(JSONBytes.text(of: bitmap.slice.scale) + "x"),
          "bytes": .number(Int(asset.bytes)),
        ]
      }
  }
}
