import Imaging

extension SiteContent {
  /// What can be shown of a user before the picture comes, in the user's first style that has one.
  func placeholder(of user: Int) -> Placeholder? {
    guard let source = cast.roles[user].source,
      let style = styles(of: user).first(where: {
        rendered.assets(source: source, style: $0)?.isEmpty == false
      })
    else { return nil }
    return rendered.placeholder(source: source, style: style)
  }

  /// Where a user's picture was cropped around; nil for styles that did not look for it.
  func focus(of user: Int, style: Int) -> FoundFocus? {
    cast.roles[user].source.flatMap { rendered.focus(source: $0, style: style) }
  }
}
