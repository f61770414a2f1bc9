import Imaging

/// `avatars.css`: the size of each style, so that a page can lay out before a picture comes.
///
/// Where an image has room around the box, a negative margin keeps the box in its place.
enum AvatarsCSS {
  static func text(for styles: [AvatarStyle]) -> String {
    var css = CSSText()
    for style in styles {
      let layout = StyleLayout(style)
      var lines = [
        "width: \(CSSText.points(layout.size.width))",
        "height: \(CSSText.points(layout.size.height))",
      ]
      if layout.inset != .none {
        let inset = layout.inset
        let margins = [inset.top, inset.right, inset.bottom, inset.left]
        let points = margins.map { CSSText.points(Double(0 - $0)) }
        lines.append("margin: " + points.joined(separator: " "))
      }
      css.rule([".avatar-\(CSSName.escape(style.name))"], lines)
    }
    return css.text
  }
}
