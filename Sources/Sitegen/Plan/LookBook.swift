package import Imaging

/// A style as some users get it: cropped around their own point, with their own decorations.
package struct Look: Hashable, Sendable {
  /// Into the manifest's styles.
  package var style: Int
  /// Nil where the style's own focus holds.
  package var focus: Focus?
  /// Indices into the style's decorations, ascending.
  package var decorations: [Int]
}

/// Every look that the users of a manifest can get, whatever their sources turn out to be.
///
/// The first looks are the styles, in their order: users without wishes have these, and for them
/// a look costs nothing.
package struct LookBook: Sendable {
  /// One for each look.
  package private(set) var plans: [StylePlan] = []
  private let styles: [AvatarStyle]
  private let allStyles: [Int]
  private let materials: Materials
  private var numbers: [Look: Int] = [:]
  /// Some style has decorations that depend on the source.
  private let asksSources: Bool

  package init(_ styles: [AvatarStyle], users: [User] = [], materials: Materials = Materials()) {
    self.styles = styles
    allStyles = Array(styles.indices)
    self.materials = materials
    asksSources = styles.contains { style in
      style.decorations.contains { $0.condition != nil }
    }
    for style in styles.indices {
      add(Look(style: style, focus: nil, decorations: styles[style].decorationsOfEveryone))
    }
    let traits = asksSources ? Traits.all : [[]]
    var seen: Set<Wishes> = []
    for user in users where asksSources || user.hasWishes {
      guard seen.insert(Wishes(user)).inserted else { continue }
      for style in user.styles ?? allStyles {
        for traits in traits { add(look(style, of: user, traits)) }
      }
    }
  }

  /// How many of the looks are plain styles.
  var styleCount: Int { styles.count }

  /// The looks of a user with this source, by number, in the order of the styles.
  package func looks(of user: User, _ source: Source) -> [Int] {
    let own = user.styles ?? allStyles
    if !asksSources && !user.hasWishes { return own }
    return own.map { look(of: user, style: $0, source) }
  }

  /// The number of the look that a user with this source has in a style.
  package func look(of user: User, style: Int, _ source: Source) -> Int {
    if !asksSources && !user.hasWishes { return style }
    let look = look(style, of: user, Traits(of: source.inspection))
    guard let number = numbers[look] else {
      preconditionFailure("every look of every user was put down at first")
    }
    return number
  }

  private func look(_ number: Int, of user: User, _ traits: Traits) -> Look {
    let style = styles[number]
    let decorations = style.decorations.indices.filter { index in
      let decoration = style.decorations[index]
      let isWanted = decoration.name.map(user.decorations.contains) ?? true
      return isWanted && decoration.condition.map(traits.has) ?? true
    }
    return Look(
      style: number, focus: style.isChanged(by: user.focus) ? user.focus : nil,
      decorations: decorations)
  }

  private mutating func add(_ look: Look) {
    guard numbers[look] == nil else { return }
    numbers[look] = plans.count
    plans.append(
      StylePlan(
        styles[look.style], pinned: look.focus, decorations: look.decorations,
        materials: materials))
  }

  /// What two users share who have the same looks.
  private struct Wishes: Hashable {
    let focus: Focus?
    let decorations: [String]
    let styles: [Int]?

    init(_ user: User) {
      focus = user.focus
      decorations = user.decorations
      styles = user.styles
    }
  }
}

extension User {
  fileprivate var hasWishes: Bool { focus != nil || !decorations.isEmpty }
}

extension AvatarStyle {
  /// Indices of those that depend on nothing.
  var decorationsOfEveryone: [Int] {
    decorations.indices.filter {
      decorations[$0].name == nil && decorations[$0].condition == nil
    }
  }

  fileprivate func isChanged(by pinned: Focus?) -> Bool {
    guard let pinned, fit == .fill else { return false }
    return finder != nil || focus != pinned
  }
}
