import Bytes
import Manifest
import Mustache
import Plan
import Recipes

extension GalleryPages {
  func buttonsPage() throws -> [UInt8] {
    let path = GalleryPaths.buttons
    var values = common(path: path)
    values["buttons"] = ["items": .list(content.manifest.buttons.map(button))]
    values["scripts"] = .list(
      content.manifest.exports.contains(.touch)
        ? [.text(GalleryPaths.root(of: path) + Templates.touchScriptName)] : [])
    return try fill("buttons", with: values)
  }

  /// A button with all its states, in the light and in the dark.
  private func button(_ button: ButtonStyle) -> Value {
    let name = "btn-" + CSSName.escaped(button.name)
    let hasColors = button.emit.contains(.css)
    let hasPictures = ButtonPictures(of: button, in: content) != nil
    // Where colours are not wanted the class itself is the picture.
    let pictureClass = hasPictures && hasColors ? " as-image" : nil
    return [
      "name": .text(button.name),
      "anchor": .text(GalleryPaths.anchor("button", of: button.name)),
      "class": .text(name),
      "imageClass": Value(pictureClass.map { name + $0 }),
      "appearances": .list(
        ["light", "dark"].map { title in
          let className = "\(name) is-\(title)"
          // Without dark colours the light ones stay.
          let (source, appearance) =
            button.appearances.last { $0.name == title }
            ?? ("light", button.light)
          return [
            "name": .text(title),
            "isDark": .bool(title == "dark"),
            "isInherited": .bool(title == "dark" && button.dark == nil),
            "class": .text(className),
            "imageClass": Value(pictureClass.map { className + $0 }),
            "ink": Value(ink(of: appearance, on: appearance.normal, in: title)),
            "states": .list(
              appearance.states.map { name, color in
                [
                  "name": .text(name),
                  "class": .text("\(className) is-\(name)"),
                  "stateClass": name == "normal" ? .absent : .text("is-\(name)"),
                  "color": .text(color.css),
                  "ink": Value(ink(of: appearance, on: color, in: title)),
                  "contrast": Value(
                    appearance.contrast(on: color, page: ButtonStyle.page(of: title))
                      .map { $0.toldContrast.plain }),
                  "isDisabled": .bool(name == "disabled"),
                  "isSelected": .bool(name == "selected"),
                  "images": .list(images(of: button, state: name, in: source)),
                ]
              }),
          ]
        }),
    ]
  }

  /// The class of words that can be read on a colour; nil where the button has its own.
  private func ink(
    of appearance: ButtonStyle.Appearance, on color: Color, in title: String
  ) -> String? {
    guard appearance.title == nil else { return nil }
    return color.over(ButtonStyle.page(of: title)).ink == .white ? "on-dark" : "on-light"
  }

  private func images(
    of button: ButtonStyle, state: String, in appearance: String
  ) -> [Value] {
    guard button.emit.contains(.png) else { return [] }
    return content.bitmaps(of: button, state: state, in: appearance, at: ButtonStyle.scales)
      .map { bitmap, asset in
        [
          "scale": .text(bitmap.slice.scale.plain + "x"),
          "bytes": .number(Int(asset.bytes)),
        ]
      }
  }
}
