import Bytes
import Manifest
import Recipes

/// `avatars.css`: the size of each style, so that pages have their layout before pictures load.
enum AvatarsCSS {
  static func text(for styles: [AvatarStyle]) -> String {
    var css = CSSWriter()
    for style in styles {
      css.rule([".avatar-\(CSSName.escaped(style.name))"], StyleLayout(style).declarations)
    }
    return css.text
  }
}

extension StyleLayout {
  /// The size of an image on a page; a negative margin removes the room around the box.
  var declarations: [String] {
    let lines = [
      "width: \(CSSWriter.points(size.width))", "height: \(CSSWriter.points(size.height))",
    ]
    guard inset != .none else { return lines }
    let margins = [inset.top, inset.right, inset.bottom, inset.left]
    let points = margins.map { CSSWriter.points(Double(0 - $0)) }
    return lines + ["margin: " + points.joined(separator: " ")]
  }
}
