import Bytes
import Manifest
import Recipes

/// `avatars.css`: the size of each style, so that a page has its layout before a picture comes.
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
  /// The size of an image on a page.
  ///
  /// Where it has room around the box, a negative margin keeps the box in its position.
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
