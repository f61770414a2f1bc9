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

  private func button(_ button: ButtonStyle) -> Value {
    let name = "btn-" + CSSName.escaped(button.name)
    let hasColors = button.emit.contains(.css)
    let hasPictures = ButtonPictures(of: button, in: content) != nil
    // Without CSS colours, the main class already shows the picture, so omit `as-image`.
    let pictureClass = hasPictures && hasColors ? " as-image" : nil
    return [
      "name": .text(button.name),
      "anchor": .text(GalleryPaths.anchor("button", of: button.name)),
      "class": .text(name),
      "imageClass": Value(pictureClass.map { name + $0 }),
      "appearances": .list(
        ButtonStyle.Appearance.allCases.map { appearance in
          let className = "\(name) is-\(appearance.rawValue)"
          // Without dark colours, the light ones apply.
          let (source, colors) =
            button.appearances.first { $0.appearance == appearance } ?? (.light, button.light)
          return [
            "name": .text(appearance.rawValue),
            "isDark": .bool(appearance == .dark),
            "isInherited": .bool(source != appearance),
            "class": .text(className),
            "imageClass": Value(pictureClass.map { className + $0 }),
            "ink": Value(ink(of: colors, on: colors.normal, in: appearance)),
            "states": .list(
              colors.states.map { state, color in
                [
                  "name": .text(state.rawValue),
                  "class": .text("\(className) is-\(state.rawValue)"),
                  "stateClass": state == .normal ? .absent : .text("is-\(state.rawValue)"),
                  "color": .text(color.css),
                  "ink": Value(ink(of: colors, on: color, in: appearance)),
                  "contrast": Value(
                    colors.contrast(on: color, in: appearance).map { $0.roundedContrast.plain }),
                  "isDisabled": .bool(state == .disabled),
                  "isSelected": .bool(state == .selected),
                  "images": .list(images(of: button, state: state, in: source)),
                ]
              }),
          ]
        }),
    ]
  }

  /// Returns the class that makes text readable on a colour; nil if the title has its own colour.
  private func ink(
    of colors: ButtonStyle.Colors, on color: Color, in appearance: ButtonStyle.Appearance
  ) -> String? {
    guard colors.title == nil else { return nil }
    return color.over(appearance.page).ink == .white ? "on-dark" : "on-light"
  }

  private func images(
    of button: ButtonStyle, state: ButtonStyle.State, in appearance: ButtonStyle.Appearance
  ) -> [Value] {
    guard button.emit.contains(.png) else { return [] }
    return content.bitmaps(of: button, state: state, in: appearance, at: ButtonStyle.scales)
      .map { bitmap, asset in
        ["scale": .text(bitmap.scale.plain + "x"), "bytes": .number(Int(asset.bytes))]
      }
  }
}
