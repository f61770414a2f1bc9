import Foundation
package import Recipes

extension SiteContent {
  /// What can be shown of a user before the picture comes, in the user's first style that has one.
  package func placeholder(of user: Int) -> Placeholder? {
    styles(of: user).first.flatMap { placeholder(of: user, style: $0) }
  }

  /// Of the very picture that a user has in a style; nil when nothing of it is visible.
  package func placeholder(of user: Int, style: Int) -> Placeholder? {
    guard let source = assignment.assignments[user].source, let look = look(of: user, style: style)
    else {
      return nil
    }
    return rendered.placeholder(source: source, look: look)
  }

  /// Where a user's picture was cropped around; nil for styles that did not look for it.
  package func focus(of user: Int, style: Int) -> FoundFocus? {
    guard let source = assignment.assignments[user].source, let look = look(of: user, style: style)
    else {
      return nil
    }
    return rendered.focus(source: source, look: look)
  }
}

extension Placeholder {
  /// `#rrggbb`: it is opaque, so alpha would say nothing.
  package var colorText: String { String(color.hex.prefix(7)) }

  /// Base64, as ThumbHashes are passed on everywhere.
  package var thumbHashText: String { Data(thumbHash).base64EncodedString() }
}
